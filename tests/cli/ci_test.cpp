// The files in ci/ and .pre-commit-hooks.yaml, run with the binary instead of the image.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>

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
