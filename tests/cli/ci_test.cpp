// The files in ci/ and .pre-commit-hooks.yaml, run with the binary instead of the image.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>

#include "bytes/digest.hpp"
#include "tests/cli/binary.hpp"
#include "tests/manifests/yaml_value.hpp"

namespace winadmit {
namespace {

using nlohmann::json;

class Ci : public test::Binary {
 protected:
  Ci() {
    write("pod.yaml",
          "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n"
          "spec: {os: {name: windows}, hostPID: true}\n");
  }

  /// A folder with two files that a pattern is to exclude.
  void write_charts() const {
    std::filesystem::create_directory(folder_ / "charts");
    for (const char* name : {"charts/a.yaml", "charts/b.yaml"})
      write(name, test::read(folder_ / "pod.yaml"));
  }

  /// A command of a shell in the folder of the test.
  test::Result shell(const std::string& command) const {
    const auto out = folder_ / "out.txt", err = folder_ / "err.txt";
    const std::string line = "cd " + folder_.path().string() + " && { " + command + "; } >" +
                             out.string() + " 2>" + err.string();
    const int status = std::system(line.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, test::read(out), test::read(err)};
  }
};

TEST_F(Ci, ActionOfGithubAnnotatesAndWritesSarif) {
  const json action = test::yaml_value(test::read(test::source("ci/github/action.yml")));
  const json& inputs = action.at("inputs");
  const auto result = shell("WINADMIT=" + test::binary() + " FILES='" +
                            inputs["files"]["default"].get<std::string>() + "' FLAGS='" +
                            inputs["flags"]["default"].get<std::string>() +
                            "' SARIF=report.sarif " + test::source("ci/github/check.sh").string());
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_TRUE(result.out.starts_with("::error file=pod.yaml,line=4,")) << result.out;
  const auto log = nlohmann::json::parse(test::read(folder_ / "report.sarif"));
  EXPECT_EQ(log["runs"][0]["results"][0]["ruleId"], "host-pid");
  for (const auto& each : action["runs"]["steps"][0]["env"]) {
    const auto input = each.get<std::string>();
    const std::string name = input.substr(11, input.size() - 14);  // ${{ inputs.NAME }}
    EXPECT_TRUE(inputs.contains(name)) << input;
  }
}

TEST_F(Ci, ActionOfGithubLeavesPatternsToWinadmitAndTakesNoFileForAFlag) {
  write_charts();
  const auto check = [&](const std::string& files) {
    return shell(
        "WINADMIT=" + test::binary() + " FILES='" + files +
        "' FLAGS='--exclude charts/*' SARIF= " + test::source("ci/github/check.sh").string());
  };
  const auto result = check(".");
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_EQ(result.out.find("charts"), std::string::npos) << result.out;
  EXPECT_EQ(check("p*.yaml").exit_code, 1) << "patterns of files are for the shell";
  EXPECT_EQ(check("pod.yaml --exit-zero").exit_code, 2) << "there is no file of this name";
}

TEST_F(Ci, ActionOfGithubAnnotatesAlsoIfAFileCannotBeRead) {
  write("broken.yaml", "apiVersion: v1\nkind: [\n");
  const auto result = shell("WINADMIT=" + test::binary() + " FILES=. FLAGS= SARIF=report.sarif " +
                            test::source("ci/github/check.sh").string());
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_NE(result.out.find("::error file=broken.yaml,line="), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("::error file=pod.yaml,line=4,"), std::string::npos) << result.out;
}

TEST_F(Ci, ActionOfGithubReadsFoldersInFoldersWhateverTheFlags) {
  std::filesystem::create_directories(folder_ / "a/b");
  write("a/b/pod.yaml", test::read(folder_ / "pod.yaml"));
  const auto result = shell("WINADMIT=" + test::binary() + " FILES=. FLAGS='--fail-on warn' " +
                            test::source("ci/github/check.sh").string());
  EXPECT_NE(result.out.find("::error file=a/b/pod.yaml,line=4,"), std::string::npos) << result.out;
}

TEST_F(Ci, TemplateOfGitlabWritesItsReports) {
  const json job =
      test::yaml_value(test::read(test::source("ci/gitlab/winadmit.yml"))).at("winadmit");
  write_charts();
  std::string script = "export WINADMIT=" + test::binary() + " WINADMIT_FLAGS='--exclude charts/*'";
  for (const auto& line : job["script"]) script += " && " + line.get<std::string>();
  const auto result = shell(script);
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_NE(result.out.find("(host-pid)"), std::string::npos) << result.out;
  const json& reports = job["artifacts"]["reports"];
  EXPECT_EQ(nlohmann::json::parse(
                test::read(folder_ / reports["codequality"].get<std::string>()))[0]["check_name"],
            "host-pid");
  EXPECT_NE(test::read(folder_ / reports["junit"].get<std::string>()).find("failures=\"1\""),
            std::string::npos);
  write("broken.yaml", "apiVersion: v1\nkind: [\n");
  const auto broken = shell(script);
  EXPECT_EQ(broken.exit_code, 2) << broken.err;
  EXPECT_NE(broken.out.find("(host-pid)"), std::string::npos) << broken.out;
}

/// Files that somebody who opens a pull request may add, so that nothing is found in pod.yaml.
class HostileCi : public Ci {
 protected:
  HostileCi() {
    namespace fs = std::filesystem;
    fs::create_directories(folder_ / "repo/templates");
    fs::create_directories(folder_ / "repo/.git");
    fs::create_directories(folder_ / "home");
    write("home/keep", "as it was");
    const std::string pod =
        "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n"
        "spec:\n  os: {name: windows}\n  hostPID: true\n";
    for (const char* name : {"repo/pod.yaml", "repo/::stop-commands::x.yaml", "repo/-q.yaml",
                             "repo/templates/pod.yaml"}) {
      write(name, pod + "  hostIPC: true # winadmit: ignore host-ipc\n");
    }
    write("repo/Chart.yaml", "name: a\n");
    write("repo/.winadmit.yaml", "policy: {rules: {host-pid: allow}}\nexclude: ['*']\n");
    write("repo/config.yaml", "rules: {host-pid: allow}\n");
    write("repo/ignored.yaml",
          "apiVersion: v1\nkind: Pod\nmetadata: {name: i, annotations: {winadmit.dev/ignore: "
          "host-pid}}\nspec: {os: {name: windows}, hostPID: true}\n");
    write("repo/speaks.yaml",
          "apiVersion: v1\nkind: Pod\nmetadata: {name: \"##[set-output name=ok]x\"}\n"
          "spec: {os: {name: windows}, hostPID: true}\n");
    write("repo/broken.yaml", "apiVersion: v1\nkind: [\n");
    write("repo/deep.yaml", "apiVersion: v1\nkind: Pod\nx: " + std::string(1500, '[') + '\n');
    write("home/other", "as it was");
    fs::create_symlink("../home/other", folder_ / "repo/link.yaml");
    for (const char* report : {"report.sarif", "gl-code-quality-report.json", "winadmit.xml"})
      fs::create_symlink("../home/keep", folder_ / "repo" / report);
  }

  /// What holds of every command.
  void expect_all_is_found(const test::Result& result) const {
    EXPECT_EQ(result.exit_code, 2) << "what cannot be read is an error";
    for (const char* file : {"pod.yaml", "-q.yaml", "templates/pod.yaml", "ignored.yaml"}) {
      const std::string& out = result.out;
      EXPECT_NE(out.find(file), std::string::npos) << file << out;
    }
    for (const char* rule : {"host-pid", "host-ipc"})
      EXPECT_NE(result.out.find(rule), std::string::npos) << result.out;
    for (const char* file : {"broken.yaml", "deep.yaml", "link.yaml"})
      EXPECT_NE(result.err.find(file), std::string::npos) << file << result.err;
    EXPECT_EQ(test::read(folder_ / "home/keep"), "as it was") << "no report is written elsewhere";
  }

  test::Result in_repo(const std::string& command) const { return shell("cd repo && " + command); }
};

TEST_F(HostileCi, ActionOfGithubFindsAllInAPullRequest) {
  for (const char* event : {"pull_request", "pull_request_target", "issue_comment"}) {
    const auto result =
        in_repo(std::string("GITHUB_ACTIONS=true GITHUB_EVENT_NAME=") + event +
                " WINADMIT=" + test::binary() + " FILES=. FLAGS= SARIF=report.sarif UNTRUSTED= " +
                test::source("ci/github/check.sh").string());
    expect_all_is_found(result);
    const json log = json::parse(test::read(folder_ / "repo/report.sarif"));
    EXPECT_FALSE(log["runs"][0]["results"].empty());
    EXPECT_FALSE(std::filesystem::is_symlink(folder_ / "repo/report.sarif"));
  }
}

/// Whether the runner of GitHub would take a line for a command: actions/runner,
/// src/Runner.Common/ActionCommand.cs.
bool is_command(const std::string& line) {
  static const std::regex kCommand(R"(\s*::.*|.*##\[.*)");
  return std::regex_match(line, kCommand);
}

TEST_F(HostileCi, NoFileSpeaksToTheRunnerOfGithub) {
  const auto result =
      in_repo("GITHUB_ACTIONS=true GITHUB_EVENT_NAME=pull_request WINADMIT=" + test::binary() +
              " FILES='. [:]*' FLAGS= SARIF= " + test::source("ci/github/check.sh").string());
  std::istringstream out(result.out), err(result.err);
  const std::regex annotation("::(error|warning|notice) file=.*");
  for (std::string line; std::getline(out, line);)
    EXPECT_TRUE(!is_command(line) || std::regex_match(line, annotation)) << line;
  for (std::string line; std::getline(err, line);) EXPECT_FALSE(is_command(line)) << line;
}

TEST_F(HostileCi, ActionOfGithubTakesNoConfigurationOfAPullRequest) {
  const auto check = [&](const std::string& environment) {
    return in_repo(environment + " WINADMIT=" + test::binary() +
                   " FILES=pod.yaml FLAGS='--no-project --config config.yaml' SARIF= " +
                   test::source("ci/github/check.sh").string());
  };
  EXPECT_EQ(check("GITHUB_EVENT_NAME=pull_request").exit_code, 2);
  EXPECT_EQ(check("GITHUB_EVENT_NAME=push").exit_code, 0);
  EXPECT_EQ(check("GITHUB_EVENT_NAME=pull_request UNTRUSTED=false").exit_code, 0);
  EXPECT_EQ(check("GITHUB_EVENT_NAME=push UNTRUSTED=true").exit_code, 2);
}

TEST_F(HostileCi, ActionOfGithubWritesNoReportThroughTheLinkOfAFolder) {
  std::filesystem::create_directory_symlink("../home", folder_ / "repo/out");
  const auto result =
      in_repo("WINADMIT=" + test::binary() + " FILES=pod.yaml FLAGS= SARIF=out/keep " +
              test::source("ci/github/check.sh").string());
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(test::read(folder_ / "home/keep"), "as it was");
}

TEST_F(HostileCi, TemplateOfGitlabFindsAllInAMergeRequest) {
  const json job =
      test::yaml_value(test::read(test::source("ci/gitlab/winadmit.yml"))).at("winadmit");
  std::string script = "export CI_PIPELINE_SOURCE=merge_request_event WINADMIT=" + test::binary();
  for (const auto& line : job["script"]) script += " && " + line.get<std::string>();
  expect_all_is_found(in_repo(script));
  const json report = json::parse(test::read(folder_ / "repo/gl-code-quality-report.json"));
  EXPECT_FALSE(report.empty());
  for (const char* file : {"gl-code-quality-report.json", "winadmit.xml"})
    EXPECT_FALSE(std::filesystem::is_symlink(folder_ / "repo" / file));
}

TEST_F(HostileCi, HookOfPreCommitTakesNoFileForAFlag) {
  const json hooks = test::yaml_value(test::read(test::source(".pre-commit-hooks.yaml")));
  std::string command = hooks[0]["entry"].get<std::string>().substr(9);
  for (const auto& each : hooks[0]["args"]) command += ' ' + each.get<std::string>();
  std::filesystem::remove(folder_ / "repo/.winadmit.yaml");
  const auto result = in_repo(test::binary() + ' ' + command + " -q.yaml pod.yaml");
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_NE(result.out.find("-q.yaml:"), std::string::npos) << result.out;
}

TEST_F(Ci, HookOfPreCommitTakesFiles) {
  const json hooks = test::yaml_value(test::read(test::source(".pre-commit-hooks.yaml")));
  const auto entry = hooks[0]["entry"].get<std::string>();
  ASSERT_TRUE(entry.starts_with("winadmit ")) << entry;
  EXPECT_EQ(hooks[0]["args"], json::array({"--skip-others", "--"}))
      << "no file is taken for a flag";
  EXPECT_EQ(run(entry.substr(9) + " -- " + (folder_ / "pod.yaml").string()).exit_code, 1);
  const std::regex exclude(hooks[0]["exclude"].get<std::string>());
  for (const char* file : {".winadmit.yaml", "a/.winadmit.yml", ".github/workflows/ci.yml",
                           "a/b/kustomization.yaml"}) {
    EXPECT_TRUE(std::regex_search(file, exclude)) << file;
  }
  for (const char* file : {"winadmit.yaml", "a/pod.yaml", "kustomization.yaml/pod.yaml"}) {
    EXPECT_FALSE(std::regex_search(file, exclude)) << file;
  }
}

TEST_F(Ci, ManifestOfKrewHasTheDigestsOfTheArchives) {
  write("kubectl-winadmit-linux-amd64.tar.gz", "amd64");
  write("kubectl-winadmit-linux-arm64.tar.gz", "arm64");
  const auto result =
      shell(test::source("ci/krew/manifest.sh").string() + " 1.2.3 https://example.com/v1.2.3 .");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json plugin = test::yaml_value(result.out);
  EXPECT_EQ(plugin["spec"]["version"], "v1.2.3");
  const json& platforms = plugin["spec"]["platforms"];
  ASSERT_EQ(platforms.size(), 2U);
  EXPECT_EQ(platforms[1]["selector"]["matchLabels"]["arch"], "arm64");
  EXPECT_EQ(platforms[1]["uri"], "https://example.com/v1.2.3/kubectl-winadmit-linux-arm64.tar.gz");
  EXPECT_EQ(platforms[1]["sha256"], sha256("arm64"));
}

}  // namespace
}  // namespace winadmit
