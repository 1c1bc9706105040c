#include "cli/report/source_lines.hpp"

#include <gtest/gtest.h>

#include "tests/temporary_folder.hpp"

namespace winadmit::cli {
namespace {

TEST(SourceLines, ReadsForwardAndBackAndOtherFiles) {
  const test::TemporaryFolder folder;
  const std::string a = folder.write("a.yaml", "one\r\ntwo\nthree");
  const std::string b = folder.write("b.yaml", "other\n");
  SourceLines lines;
  EXPECT_EQ(lines.line(a, 2), "two");
  EXPECT_EQ(lines.line(a, 2), "two");
  EXPECT_EQ(lines.line(a, 1), "one");
  EXPECT_EQ(lines.line(b, 1), "other");
  EXPECT_EQ(lines.line(a, 3), "three");
  EXPECT_EQ(lines.line(a, 4), "");
  EXPECT_EQ(lines.line(a, 1), "one");
  EXPECT_EQ(lines.line("<stdin>", 1), "");
  EXPECT_EQ(lines.line("/dev/zero", 1), "") << "not a file that can be read again";
}

TEST(SourceLines, PrefersTheLineThatTheReaderNoted) {
  SourceLines lines;
  EXPECT_EQ(lines.line({.file = "<stdin>", .line = 4, .column = 1, .text = "noted"}), "noted");
  EXPECT_EQ(lines.line({.file = "<stdin>"}), "");
}

TEST(SourceLines, UnderlineTheRegionOrTheWord) {
  const auto underlined = [](int column, int end, const std::string& line) {
    const Underline part =
        find_underline({.file = "", .line = 1, .column = column, .end_column = end}, line);
    return line.substr(part.begin, part.size);
  };
  EXPECT_EQ(underlined(3, 0, "  hostPID: true"), "hostPID");
  EXPECT_EQ(underlined(3, 16, "  hostPID: true"), "hostPID: true");
  EXPECT_EQ(underlined(3, 99, "  hostPID: true"), "hostPID: true");
  EXPECT_EQ(underlined(2, 0, "{a}"), "a");
  EXPECT_EQ(underlined(99, 0, "short"), "");
  EXPECT_EQ(underlined(0, 0, "no column"), "");
}

}  // namespace
}  // namespace winadmit::cli
