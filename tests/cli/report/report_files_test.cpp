// `winadmit check --report FORMAT=FILE`.
#include <gtest/gtest.h>

#include "cli/report/report.hpp"
#include "tests/cli/check_in_folder.hpp"
#include "tests/test_data.hpp"

namespace winadmit {
namespace {

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
    flags += " --report " + format + "=report." + format;
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
  const auto checked = check("--color always --report text=report.txt a.yaml");
  EXPECT_NE(checked.out.find('\x1b'), std::string::npos);
  EXPECT_EQ(test::read(folder_.path() / "report.txt"), check("a.yaml").out);
}

TEST_F(ReportFiles, AreReplacedAsAWhole) {
  write("report.json", std::string(100'000, 'x'));
  EXPECT_EQ(check("--report json=report.json a.yaml").exit_code, 1);
  EXPECT_EQ(test::read(folder_.path() / "report.json"), check("-o json a.yaml").out);
}

TEST_F(ReportFiles, MustBeNamedWithAFormat) {
  for (const std::string wrong : {"report.json", "sarif", "sarif=", "=report.json"}) {
    const auto refused = check("--report " + wrong + " a.yaml");
    EXPECT_EQ(refused.exit_code, 2) << wrong;
    EXPECT_EQ(refused.out, "") << wrong;
    EXPECT_NE(refused.err.find("--report must have the form FORMAT=FILE, with one of the formats "
                               "text, json, yaml, sarif"),
              std::string::npos)
        << refused.err;
  }
  EXPECT_NE(check("--report sarf=a.sarif a.yaml").err.find("did you mean sarif?"),
            std::string::npos);
}

TEST_F(ReportFiles, MustBeRegular) {
  const auto refused = check("--report json=. a.yaml");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(refused.out, "");
  EXPECT_NE(refused.err.find("is not a regular file"), std::string::npos) << refused.err;
}

TEST_F(ReportFiles, ThatCannotBeWrittenAreAnErrorAfterTheFindings) {
  const auto checked = check("--report json=nowhere/report.json a.yaml");
  EXPECT_EQ(checked.exit_code, 2);
  EXPECT_EQ(checked.out, check("a.yaml").out);
  EXPECT_NE(checked.err.find("nowhere/report.json"), std::string::npos) << checked.err;
}

}  // namespace
}  // namespace winadmit
