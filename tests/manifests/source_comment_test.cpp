#include "manifests/source_comment.hpp"

#include <gtest/gtest.h>

namespace winadmit::manifests {
namespace {

TEST(SourceComment, NamesTheTemplateOfAChart) {
  EXPECT_EQ(find_source_comment("---\n# Source: web/templates/a.yaml\nkind: Pod\n"),
            "web/templates/a.yaml");
  EXPECT_EQ(find_source_comment("\xEF\xBB\xBF# Source: a.yaml\r\nkind: Pod\r\n"), "a.yaml");
  EXPECT_EQ(find_source_comment("# Source: my pods/a b.yaml\nkind: Pod"), "my pods/a b.yaml");
  EXPECT_EQ(find_source_comment("%YAML 1.2\n---\n\n# of the web\n  # Source: a.yaml"), "a.yaml");
}

TEST(SourceComment, IsBeforeTheFirstValue) {
  for (const char* const document :
       {"", "kind: Pod", "kind: Pod\n# Source: a.yaml\n", "# Source:\nkind: Pod\n",
        "{\"a\": \"\n# Source: a.yaml\"}", "# The source: a.yaml\nkind: Pod\n"}) {
    EXPECT_EQ(find_source_comment(document), "") << document;
  }
}

TEST(SourceComment, IsNoURLAndNoSentence) {
  EXPECT_EQ(find_source_comment("# Source: https://example.com/a.yaml\nkind: Pod"), "");
  EXPECT_EQ(find_source_comment("# Source: the documentation\nkind: Pod"), "");
}

}  // namespace
}  // namespace winadmit::manifests
