// `--untrusted`: nothing that is checked decides how it is checked.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/cli/check_in_folder.hpp"

namespace winadmit {
namespace {

namespace fs = std::filesystem;

class Untrusted : public test::CheckInFolder {
 protected:
  Untrusted() { fs::create_directory(folder_ / ".git"); }

  static std::string pod_with_comment() {
    return pod("a", ", annotations: {winadmit.dev/ignore: host-pid}") +
           "  hostIPC: true # winadmit: ignore host-ipc\n";
  }

  /// That host-pid is found.
  void expect_found(const std::string& arguments) const {
    const auto checked = check(arguments);
    EXPECT_EQ(checked.exit_code, 1) << arguments << checked.err;
    EXPECT_NE(checked.out.find("(host-pid)"), std::string::npos) << checked.out;
  }

  /// That the run ends before anything is read.
  void expect_refused(const std::string& arguments, const std::string& why) const {
    const auto checked = check(arguments);
    EXPECT_EQ(checked.exit_code, 2) << arguments;
    EXPECT_EQ(checked.out, "");
    EXPECT_NE(checked.err.find(why), std::string::npos) << checked.err;
  }
};

TEST_F(Untrusted, CommentsAndAnnotationsIgnoreNothing) {
  write("a.yaml", pod_with_comment());
  EXPECT_EQ(check("a.yaml").exit_code, 0);
  const auto checked = check("--untrusted a.yaml");
  for (const char* rule : {"(host-pid)", "(host-ipc)"})
    EXPECT_NE(checked.out.find(rule), std::string::npos) << checked.out;
  const auto fix = [this](const std::string& arguments) {
    return run("fix --check a.yaml " + arguments, "cd " + folder_.path().string() + " &&");
  };
  EXPECT_EQ(fix("").err.find("host-pid"), std::string::npos);
  EXPECT_NE(fix("--untrusted").err.find("host-pid"), std::string::npos);
}

TEST_F(Untrusted, ProjectFilesTurnNothingDown) {
  fs::create_directory(folder_ / "in");
  write("a.yaml", pod("a"));
  write("in/a.yaml", pod("a"));
  for (const char* project :
       {"policy: {rules: {host-pid: allow}}\n", "exclude: ['*']\n", "ignore: [{rule: host-pid}]\n",
        "policy: {exempt: {findings: [{rule: host-pid, reason: r}]}}\n", "policy: [\n"}) {
    for (const char* name : {".winadmit.yaml", "in/.winadmit.yaml"}) write(name, project);
    if (std::string_view(project) != "policy: [\n") expect_found("--untrusted -R .");
    expect_found("--untrusted a.yaml in/a.yaml");
  }
}

TEST_F(Untrusted, ProjectFilesHideNoObject) {
  fs::create_directory(folder_ / "in");
  write("a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n");
  write("in/.winadmit.yaml", pod("a"));
  expect_found("--untrusted -R .");
  EXPECT_NE(check("-R .").exit_code, 0) << "kubectl creates the pod";
}

TEST_F(Untrusted, AChartHidesNoObject) {
  fs::create_directory(folder_ / "templates");
  write("Chart.yaml", "name: a\n");
  write("templates/a.yaml", pod("a"));
  expect_found("--untrusted -R .");
  expect_found("--untrusted --skip-others templates/a.yaml");
}

TEST_F(Untrusted, FilesOfTheCheckedTreeAreRefused) {
  fs::create_directories(folder_ / "deploy");
  write("deploy/a.yaml", pod("a"));
  write("c.yaml", "rules: {host-pid: allow}\n");
  check("--write-baseline base.json -R deploy");
  const test::TemporaryFolder outside;
  fs::create_symlink(folder_ / "c.yaml", outside / "link.yaml");
  for (const std::string& config :
       {std::string("c.yaml"), (folder_ / "c.yaml").string(), std::string("deploy/../c.yaml"),
        (outside / "link.yaml").string()}) {
    for (const char* files : {"deploy", "deploy/a.yaml", "-R ."})
      expect_refused("--untrusted --config " + config + ' ' + files, "is not trusted");
  }
  expect_refused("--untrusted --config c.yaml -f -", "is not trusted");
  expect_refused("--untrusted --baseline base.json deploy", "--baseline");
  expect_refused("--untrusted --namespaces deploy/a.yaml deploy", "--namespaces");
  expect_refused("--untrusted --namespaces - -f -", "--namespaces");
  expect_refused("--untrusted --write-baseline new.json deploy", "--write-baseline");
  const auto by_variable = run("check --untrusted deploy",
                               "cd " + folder_.path().string() + " && WINADMIT_CONFIG=c.yaml");
  EXPECT_EQ(by_variable.exit_code, 2) << by_variable.out;
}

TEST_F(Untrusted, FilesElsewhereAreUsedButForAnnotations) {
  const test::TemporaryFolder outside;
  write("a.yaml", pod_with_comment());
  const std::string strict = outside.write("c.yaml", "rules: {host-ipc: warn}\n");
  const auto checked = check("--untrusted --config " + strict + " a.yaml");
  EXPECT_NE(checked.out.find("warning"), std::string::npos) << checked.out;
  const std::string by_annotation = outside.write("b.yaml", "exempt: {byAnnotation: true}\n");
  expect_found("--untrusted --config " + by_annotation + " a.yaml");
  const std::string baseline = (outside / "base.json").string();
  check("--write-baseline " + baseline + " --no-ignore a.yaml");
  EXPECT_EQ(check("--untrusted --baseline " + baseline + " a.yaml").exit_code, 0);
}

TEST_F(Untrusted, FixDoesNotWrite) {
  write("a.yaml", pod("a"));
  const auto fixed =
      run("fix --in-place --untrusted a.yaml", "cd " + folder_.path().string() + " &&");
  EXPECT_EQ(fixed.exit_code, 2);
  EXPECT_EQ(test::read(folder_ / "a.yaml"), pod("a"));
}

TEST_F(Untrusted, ASubmoduleBelongsToItsRepository) {
  fs::create_directory(folder_ / "sub");
  write("sub/.git", "gitdir: ../.git/modules/sub\n");
  write("sub/a.yaml", pod("a"));
  write("c.yaml", "rules: {host-pid: allow}\n");
  expect_refused("--untrusted --config c.yaml sub", "is not trusted");
}

}  // namespace
}  // namespace winadmit
