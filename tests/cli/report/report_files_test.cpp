// `winadmit check --report-file FORMAT=FILE`.
#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>

#include "cli/report/report.hpp"
#include "tests/cli/check_in_folder.hpp"
#include "tests/test_data.hpp"

namespace winadmit {
namespace {

namespace fs = std::filesystem;

class ReportFiles : public test::CheckInFolder {
 protected:
  ReportFiles() {
    write("a.yaml", pod("a"));
    write("broken.yaml", "a: [\n");
  }
};

TEST_F(ReportFiles, AreWhatStandardOutputWouldHave) {
  std::string flags = "-o json";
  for (const std::string& format : cli::report_formats())
    flags += " --report-file " + format + "=report." + format;
  const auto all = check(flags + " a.yaml broken.yaml");
  EXPECT_EQ(all.exit_code, 2);
  EXPECT_EQ(all.out, check("-o json a.yaml broken.yaml").out);
  for (const std::string& format : cli::report_formats()) {
    EXPECT_EQ(test::read(folder_.path() / ("report." + format)),
              check("-o " + format + " a.yaml broken.yaml").out)
        << format;
  }
}

TEST_F(ReportFiles, HaveNoColours) {
  const auto checked = check("--color always --report-file text=report.txt a.yaml");
  EXPECT_NE(checked.out.find('\x1b'), std::string::npos);
  EXPECT_EQ(test::read(folder_.path() / "report.txt"), check("a.yaml").out);
}

TEST_F(ReportFiles, AreReplacedAsAWhole) {
  write("report.json", std::string(100'000, 'x'));
  EXPECT_EQ(check("--report-file json=report.json a.yaml").exit_code, 1);
  EXPECT_EQ(test::read(folder_.path() / "report.json"), check("-o json a.yaml").out);
}

TEST_F(ReportFiles, MustBeNamedWithAFormat) {
  for (const std::string wrong : {"report.json", "sarif", "sarif=", "=report.json", "json=-"}) {
    const auto refused = check("--report-file " + wrong + " a.yaml");
    EXPECT_EQ(refused.exit_code, 2) << wrong;
    EXPECT_EQ(refused.out, "") << wrong;
    EXPECT_NE(
        refused.err.find("--report-file must have the form FORMAT=FILE, with one of the formats "
                         "text, json, sarif"),
        std::string::npos)
        << refused.err;
  }
  EXPECT_NE(check("--report-file sarf=a.sarif a.yaml").err.find("did you mean sarif?"),
            std::string::npos);
}

TEST_F(ReportFiles, MustBeRegular) {
  const auto refused = check("--report-file json=. a.yaml");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(refused.out, "");
  EXPECT_NE(refused.err.find("is not a regular file"), std::string::npos) << refused.err;
}

/// Whoever changes a repository may commit one.
TEST_F(ReportFiles, AreNeverWrittenThroughALink) {
  const fs::path here = folder_.path(), outside = here / "outside";
  fs::create_directories(here / "repository/real");
  fs::create_directories(outside);
  write("repository/a.yaml", pod("a"));
  write("outside/known", "kept\n");
  fs::create_symlink("../outside/known", here / "repository/known");
  fs::create_symlink("../outside/new", here / "repository/dangling");
  fs::create_symlink("../outside", here / "repository/folder");
  fs::create_symlink("real", here / "repository/inside");
  const auto check_here = [&](const std::string& file) {
    return run("check --report-file json=" + file + " a.yaml",
               "cd " + (here / "repository").string() + " &&");
  };
  for (const std::string& file :
       {std::string("known"), std::string("dangling"), std::string("folder/report.json"),
        std::string("folder/sub/../r"), std::string("inside/report.json"),
        (here / "repository/folder/report.json").string(), std::string("/dev/stdout")}) {
    const auto refused = check_here(file);
    EXPECT_EQ(refused.exit_code, 2) << file;
    EXPECT_EQ(refused.out, "") << file;
    EXPECT_NE(refused.err.find(" is a symbolic link"), std::string::npos) << refused.err;
  }
  EXPECT_EQ(test::read(outside / "known"), "kept\n");
  EXPECT_EQ(std::distance(fs::directory_iterator(outside), {}), 1);
  EXPECT_EQ(check_here("real/../real/r.json").exit_code, 1);
  fs::create_symlink("outside", here / "elsewhere");
  EXPECT_EQ(check_here("../elsewhere/r.json").exit_code, 1)
      << "links outside of what is checked, such as /tmp, are the system's";
}

TEST_F(ReportFiles, ReplaceNothingThatTheRunReads) {
  write("config.yaml", "strict: true\n");
  check("--write-baseline known.json a.yaml");
  for (const std::string flags :
       {"--report-file json=a.yaml a.yaml", "--report-file json=./a.yaml .",
        "--report-file json=config.yaml --config config.yaml a.yaml",
        "--report-file json=known.json --baseline known.json a.yaml",
        "--report-file json=./.winadmit.yaml a.yaml",
        "--report-file json=b.json --write-baseline b.json a.yaml",
        "--report-file json=c.json --report-file sarif=./c.json a.yaml"}) {
    const auto refused = check(flags);
    EXPECT_EQ(refused.exit_code, 2) << flags;
    EXPECT_NE(refused.err.find("--report-file "), std::string::npos) << flags << refused.err;
  }
  EXPECT_EQ(test::read(folder_.path() / "a.yaml"), pod("a"));
  for (int times = 0; times < 2; ++times)
    EXPECT_EQ(check("--report-file json=r.json --exclude broken.yaml -R .").exit_code, 1)
        << "a report is no manifest";
}

TEST_F(ReportFiles, ThatCannotBeWrittenAreAnErrorAfterTheFindings) {
  const auto checked =
      check("--report-file json=nowhere/report.json --report-file text=b.txt a.yaml");
  EXPECT_EQ(checked.exit_code, 2);
  EXPECT_EQ(checked.out, check("a.yaml").out);
  EXPECT_EQ(test::read(folder_.path() / "b.txt"), checked.out);
  EXPECT_NE(checked.err.find("nowhere/report.json"), std::string::npos) << checked.err;
}

}  // namespace
}  // namespace winadmit
