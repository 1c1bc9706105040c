#include "cli/judge/template_path.hpp"

#include <gtest/gtest.h>

#include <string>

namespace winadmit::cli {
namespace {

TEST(TemplatePath, HasMembersAndLists) {
  for (const char* path : {"spec.template", "template", "spec.tasks[*].template"})
    EXPECT_TRUE(is_template_path(path)) << path;
  for (const char* path : {"", ".", "spec.", "spec..template", "spec[0].template", "/spec", "a b"})
    EXPECT_FALSE(is_template_path(path)) << path;
  EXPECT_TRUE(is_template_path(std::string(1024, 'a')));
  EXPECT_FALSE(is_template_path(std::string(1'000'000, 'a'))) << "and the stack is large enough";
}

TEST(TemplatePath, LeadsToTheTemplatesOfItsKind) {
  simdjson::dom::parser parser;
  const JsonValue job = parser.parse(std::string(
      R"({"spec": {"tasks": [{"template": {}}, {"name": "none"}, {"template": {}}]}})"));
  const ObjectName name{.group = "batch.volcano.sh", .kind = "Job", .name_space = {}, .name = {}};
  const std::vector<TemplatePath> paths = {{"batch.volcano.sh", "Job", "spec.tasks[*].template"},
                                           {"batch", "Job", "spec.template"}};
  const auto found = find_templates(job, name, paths);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[1].field, "spec.tasks[2].template");
  EXPECT_EQ(found[1].pointer, "/spec/tasks/2/template");
  const JsonValue other = parser.parse(std::string(R"({"spec": "none"})"));
  EXPECT_TRUE(find_templates(other, name, paths).empty());
}

}  // namespace
}  // namespace winadmit::cli
