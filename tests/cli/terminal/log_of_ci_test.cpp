// Nothing that winadmit reads becomes a command of the runner that reads its output: in no format,
// on neither stream.
#include "tests/log_of_ci.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "cli/report/report.hpp"
#include "cli/terminal/error_line.hpp"
#include "tests/cli/binary.hpp"
#include "tests/cli/report/hostile_report.hpp"

namespace winadmit {
namespace {

/// Each alone, at the start of a line, and inside of one.
std::vector<std::string> hostile_texts() {
  std::vector<std::string> texts;
  for (const std::string command :
       {"::error title=forged::x", "::stop-commands::x", "::add-mask::a", ":", "::", ":::error::x",
        "##[set-output name=ok]x", "###[error]", "##vso[task.setvariable variable=a]b",
        "##teamcity[buildStop comment='a']", "section_start:1:a\r\x1b[0Kx", "\x1b[31mred",
        "\u009B31m", "##", "a##"}) {
    for (const std::string before : {"", " ", "\t", "\u00A0\u3000", "\uFEFF", "\n", "\r", "a\n  ",
                                     "\u2028", "\u0085", "%0A", "\\n", "x ", "- ", "\"", "\xff"})
      texts.push_back(before + command);
  }
  return texts;
}

class LogOfCi : public testing::TestWithParam<std::string> {};

TEST_P(LogOfCi, HasNoCommandOfAManifest) {
  for (const std::string& text : hostile_texts()) {
    SCOPED_TRACE(text);
    for (const bool is_for_terminal : {false, true}) {
      const std::string report = test::report_of_text(text, GetParam(), is_for_terminal);
      EXPECT_EQ(test::obeyed_line(report, test::is_annotation), "");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Format, LogOfCi, testing::ValuesIn(cli::report_formats()),
                         [](const auto& each) { return each.param; });

TEST(LogOfCiErrors, HaveNoCommandOfAManifest) {
  for (const std::string& text : hostile_texts()) {
    EXPECT_EQ(test::obeyed_line(cli::error_line({.what = text, .location = {.file = text}})), "");
    EXPECT_EQ(test::obeyed_line(cli::error_line(
                  {.what = text, .location = {.file = text, .line = 1, .column = 1}})),
              "");
  }
}

constexpr const char* kHostilePod =
    "apiVersion: v1\n"
    "kind: Pod\n"
    "metadata:\n"
    "  name: '##[set-output name=ok]x'\n"
    "  namespace: '::error::x'\n"
    "spec:\n"
    "  os: {name: windows}\n"
    "  hostPID: true\n"
    "  hostname: &a\n"
    "    ::add-mask::x\n"
    "  containers: [{name: '::error::##[error]a', image: a}]\n";

/// The input of the last command of a pipe.
constexpr const char* kPipe = "/dev/stdin";

class LogsOfCi : public test::Binary {
 protected:
  LogsOfCi() {
    write("::stop-commands::x.yaml", kHostilePod);
    write("\u00A0::error::b\n::error::c.yaml", "kind: '##[error]x'\napiVersion: [\n");
    write("kind.yaml", "apiVersion: '::error::x/v1'\nkind: '::error::##[set-output name=ok]x'\n");
    write("key.yaml", "apiVersion: v1\nkind: Pod\nspec: {\"::error::##[a]\": [], hostPID: 1}\n");
    std::filesystem::create_directories(folder_ / "::error::chart/templates");
    write("::error::chart/Chart.yaml", "name: a\n");
  }

  /// In the folder, as in a job of GitHub; with pipes for both streams.
  std::string log_of(const std::string& arguments) const {
    const test::Result result =
        run(arguments + " 2>&1 | cat",
            "cd " + folder_.path().string() + " && GITHUB_ACTIONS=true CI=true", kPipe);
    return result.out + result.err;
  }
};

TEST_F(LogsOfCi, HaveNoCommandOfAFile) {
  std::vector<std::string> commands = {
      "fix -R .",
      "fix -R --check .",
      "fix -R --diff .",
      "fix ./::stop*",
      "fix --diff -- ::stop*",
      "fix --skip-others --exclude '*' ./::stop*",
      "check --color never --no-ignore -R -- . *",
      "check -- nothing '::error::x' '##[error]y'",
      "check \"--$(printf 'a\\n::error::x')\"",
      "check --config ::stop* kind.yaml",
      "check --baseline ::stop* kind.yaml",
      "check --report-file \"$(printf 'a\\n::error::x=b')\" kind.yaml",
      "check --kubernetes-version '##[error]x' kind.yaml",
      "explain '::error::##[error]x'",
      "explain 'metadata.annotations[::error::##[x]]'",
      "help \"$(printf 'a\\n::error::x')\"",
      "review ::stop*",
      "::error::x",
      "certs show --tls-cert ::stop* --tls-key ::stop*"};
  for (const std::string& format : cli::report_formats())
    commands.push_back("check -R . -o " + format);
  for (const std::string& each : commands) {
    const std::string log = log_of(each);
    EXPECT_NE(log, "") << each;
    EXPECT_EQ(test::obeyed_line(log, test::is_annotation), "") << each << '\n' << log;
  }
}

TEST_F(LogsOfCi, HaveNoCommandOfAReviewInTheAnswer) {
  write("review.json",
        R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":)"
        R"("##[set-output name=ok]x","operation":"CREATE","namespace":"a","resource":{"group":"",)"
        R"("version":"v1","resource":"pods"},"kind":{"group":"","version":"v1","kind":"Pod"},)"
        R"("object":{"spec":{"os":{"name":"windows"}}}}})");
  const std::string log = log_of("review review.json");
  EXPECT_NE(log.find("set-output"), std::string::npos) << log;
  EXPECT_EQ(test::obeyed_line(log), "");
}

/// Another program reads it: kubectl, or git.
TEST_F(LogsOfCi, MayBeFilesWithAnyText) {
  const std::string in_ci = "cd " + folder_.path().string() + " && CI=true";
  const auto fixed = run("fix ./::stop*", in_ci);
  EXPECT_NE(fixed.out.find("\n    ::add-mask::x\n"), std::string::npos) << fixed.out << fixed.err;
  EXPECT_NE(run("fix --diff ./::stop*", in_ci).out.find("##["), std::string::npos);
  const auto piped = run("fix ./::stop* 2>/dev/null | cat",
                         "cd " + folder_.path().string() +
                             " && unset CI GITHUB_ACTIONS GITLAB_CI TF_BUILD TEAMCITY_VERSION &&",
                         kPipe);
  EXPECT_EQ(piped.out, fixed.out) << "not in CI";
  const auto refused = run("fix ./::stop* 2>&1 | cat", in_ci, kPipe);
  EXPECT_EQ(refused.out.substr(0, refused.out.find('\n')),
            "winadmit: line 4 of what would be printed is a command for the log of CI, so it is "
            "not printed; redirect standard output to a file");
}

}  // namespace
}  // namespace winadmit
