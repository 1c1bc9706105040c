// YAML becomes the JSON that kubectl makes of it.
#include "cli/yaml.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/test_data.hpp"

namespace winadmit::cli {
namespace {

using nlohmann::json;

/// scalars.json is what sigs.k8s.io/yaml v1.6.0 says, an entry for each of scalars.yaml.
TEST(Yaml, BecomesTheJsonThatKubectlMakesOfIt) {
  const YAML::Node yaml = YAML::LoadFile(test::data("yaml/scalars.yaml"));
  std::ifstream file(test::data("yaml/scalars.json"));
  const json expected = json::parse(file);
  ASSERT_EQ(yaml.size(), expected.size());
  ASSERT_GT(expected.size(), 70U);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(to_json(yaml[i]).dump(), expected[i].dump()) << "entry " << i;
  }
}

TEST(Yaml, MergesWhatIsNotThere) {
  EXPECT_EQ(to_json(YAML::Load("{<<: {a: 1, b: 2}, a: 3}")), json::parse(R"({"a":3,"b":2})"));
  EXPECT_EQ(to_json(YAML::Load("{<<: [{a: 1}, {a: 2, b: 2}], c: 3}")),
            json::parse(R"({"a":1,"b":2,"c":3})"));
  EXPECT_EQ(to_json(YAML::Load("{'<<': 1}")), json::parse(R"({"<<":1})"));
  EXPECT_THROW(to_json(YAML::Load("<<: 1")), YamlError);
}

TEST(Yaml, NamesThePlaceOfWhatJsonCannotSay) {
  for (const auto& [text, line] : {std::pair{"a: 1\nb: 2\na: 3", 2}, std::pair{"a:\n  - .nan", 1},
                                   std::pair{"? [a]\n: b", 0}}) {
    try {
      to_json(YAML::Load(text));
      ADD_FAILURE() << text;
    } catch (const YamlError& error) {
      EXPECT_EQ(error.mark.line, line) << text;
    }
  }
}

}  // namespace
}  // namespace winadmit::cli
