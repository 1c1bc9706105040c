#include "cli/fix/unified_diff.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "tests/temporary_folder.hpp"
#include "tests/test_data.hpp"

namespace winadmit::cli {
namespace {

using manifests::TextEdit;

TEST(UnifiedDiff, HasThreeLinesOfContext) {
  EXPECT_EQ(unified_diff("./x.yaml", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", {{8, 10, "five\n"}}),
            "--- a/x.yaml\n+++ b/x.yaml\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
  EXPECT_EQ(unified_diff("/x", "1", {{1, 1, "\n2"}}),
            "--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-1\n\\ No newline at end of file\n+1\n+2\n"
            "\\ No newline at end of file\n");
  EXPECT_EQ(unified_diff("x", "1\n", {{0, 1, "1"}}), "");
}

TEST(UnifiedDiff, EndsNamesWithSpacesByTabs) {
  const std::string diff = unified_diff("a b.yaml", "1\n", {{0, 1, "2"}});
  EXPECT_TRUE(diff.starts_with("--- a/a b.yaml\t\n+++ b/a b.yaml\t\n@@")) << diff;
  EXPECT_TRUE(for_terminal(diff, false).starts_with("--- a/a b.yaml\n"));
}

TEST(UnifiedDiff, IsColouredByTheFirstCharacterOfALine) {
  const std::string diff = unified_diff("x", "1\n2 \n3+\n", {{2, 5, "-- 5\n"}});
  EXPECT_EQ(for_terminal(diff, false), diff);
  EXPECT_EQ(for_terminal(diff, true),
            "\x1b[1m--- a/x\x1b[0m\n"
            "\x1b[1m+++ b/x\x1b[0m\n"
            "\x1b[36m@@ -1,3 +1,3 @@\x1b[0m\n"
            " 1\n"
            "\x1b[31m-2 \x1b[0m\n"
            "\x1b[32m+-- 5\x1b[0m\n"
            " 3+\n");
}

TEST(UnifiedDiff, QuotesNamesAsGit) {
  const std::string diff = unified_diff("a \n\"\\\u00FC.yaml", "1\n", {{0, 1, "2"}});
  EXPECT_TRUE(diff.starts_with("--- \"a/a \\012\\\"\\\\\\303\\274.yaml\"\n")) << diff;
}

/// Random edits of random texts, applied by patch(1).
TEST(UnifiedDiff, IsWhatPatchApplies) {
  if (std::system("patch --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no patch(1)";
  std::mt19937 random(1);
  const test::TemporaryFolder folder;
  for (int round = 0; round < 200; ++round) {
    std::string text;
    for (auto lines = random() % 40; lines > 0; --lines)
      text += std::string(random() % 3, 'a') + '\n';
    if (random() % 3 == 0) text += "end";
    std::vector<TextEdit> edits;
    for (auto count = random() % 4; count > 0; --count) {
      const std::size_t begin = random() % (text.size() + 1);
      const std::size_t end = begin + std::min<std::size_t>(random() % 8, text.size() - begin);
      edits.push_back({begin, end, random() % 2 == 0 ? "" : random() % 2 == 0 ? "b" : "b\nc\n"});
    }
    if (!manifests::sort_edits(edits)) continue;
    const std::string file = folder.write("file", text);
    const std::string diff = unified_diff("file", text, edits);
    if (!diff.empty()) {
      const std::string patch = folder.write("patch", diff);
      const std::string command =
          "cd " + folder.path().string() + " && patch -s -p1 --fuzz=0 <" + patch;
      ASSERT_EQ(std::system(command.c_str()), 0) << text << diff;
    }
    const auto expected = manifests::apply_edits(text, edits);
    EXPECT_EQ(test::read(file), expected) << diff;
  }
}

}  // namespace
}  // namespace winadmit::cli
