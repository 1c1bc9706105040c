// The files in ci/ and .pre-commit-hooks.yaml, run with the binary instead of the image.
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "certs/openssl.hpp"
#include "tests/cli/binary.hpp"

namespace winadmit {
namespace {

class Ci : public test::Binary {
 protected:
  Ci() {
    write("pod.yaml",
          "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n"
          "spec: {os: {name: windows}, hostPID: true}\n");
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
  const YAML::Node action = YAML::LoadFile(test::source("ci/github/action.yml").string());
  const auto inputs = action["inputs"];
  const auto result = shell("WINADMIT=" + test::binary() + " FILES='" +
                            inputs["files"]["default"].as<std::string>() + "' FLAGS='" +
                            inputs["flags"]["default"].as<std::string>() + "' SARIF=report.sarif " +
                            test::source("ci/github/check.sh").string());
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_TRUE(result.out.starts_with("::error file=pod.yaml,line=4,")) << result.out;
  const auto log = nlohmann::json::parse(test::read(folder_ / "report.sarif"));
  EXPECT_EQ(log["runs"][0]["results"][0]["ruleId"], "host-pid");
  for (const auto& each : action["runs"]["steps"][0]["env"]) {
    const auto input = each.second.as<std::string>();
    const std::string name = input.substr(11, input.size() - 14);  // ${{ inputs.NAME }}
    EXPECT_TRUE(inputs[name]) << input;
  }
}

TEST_F(Ci, ActionOfGithubAnnotatesAlsoIfAFileCannotBeRead) {
  write("broken.yaml", "a: [\n");
  const auto result = shell("WINADMIT=" + test::binary() + " FILES=. FLAGS= SARIF=report.sarif " +
                            test::source("ci/github/check.sh").string());
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_NE(result.out.find("::error file=broken.yaml,line="), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("::error file=pod.yaml,line=4,"), std::string::npos) << result.out;
}

TEST_F(Ci, TemplateOfGitlabWritesItsReports) {
  const YAML::Node job =
      YAML::LoadFile(test::source("ci/gitlab/winadmit.yml").string())["winadmit"];
  std::string script = "export WINADMIT=" + test::binary();
  for (const char* name : {"WINADMIT_FILES", "WINADMIT_FLAGS"})
    script += ' ' + std::string(name) + "='" + job["variables"][name].as<std::string>() + '\'';
  const YAML::Node lines = job["script"];
  for (const auto& line : lines) script += " && " + line.as<std::string>();
  const auto result = shell(script);
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_NE(result.out.find("(host-pid)"), std::string::npos) << result.out;
  const auto reports = job["artifacts"]["reports"];
  EXPECT_EQ(nlohmann::json::parse(
                test::read(folder_ / reports["codequality"].as<std::string>()))[0]["check_name"],
            "host-pid");
  EXPECT_NE(test::read(folder_ / reports["junit"].as<std::string>()).find("failures=\"1\""),
            std::string::npos);
  write("broken.yaml", "a: [\n");
  const auto broken = shell(script);
  EXPECT_EQ(broken.exit_code, 2) << broken.err;
  EXPECT_NE(broken.out.find("(host-pid)"), std::string::npos) << broken.out;
}

TEST_F(Ci, HookOfPreCommitTakesFiles) {
  const YAML::Node hook = YAML::LoadFile(test::source(".pre-commit-hooks.yaml").string())[0];
  const auto entry = hook["entry"].as<std::string>();
  ASSERT_TRUE(entry.starts_with("winadmit ")) << entry;
  EXPECT_EQ(run(entry.substr(9) + ' ' + (folder_ / "pod.yaml").string()).exit_code, 1);
}

TEST_F(Ci, ManifestOfKrewHasTheDigestsOfTheArchives) {
  write("kubectl-winadmit-linux-amd64.tar.gz", "amd64");
  write("kubectl-winadmit-linux-arm64.tar.gz", "arm64");
  const auto result =
      shell(test::source("ci/krew/manifest.sh").string() + " 1.2.3 https://example.com/v1.2.3 .");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const YAML::Node plugin = YAML::Load(result.out);
  EXPECT_EQ(plugin["spec"]["version"].as<std::string>(), "v1.2.3");
  const YAML::Node platforms = plugin["spec"]["platforms"];
  ASSERT_EQ(platforms.size(), 2U);
  EXPECT_EQ(platforms[1]["selector"]["matchLabels"]["arch"].as<std::string>(), "arm64");
  EXPECT_EQ(platforms[1]["uri"].as<std::string>(),
            "https://example.com/v1.2.3/kubectl-winadmit-linux-arm64.tar.gz");
  EXPECT_EQ(platforms[1]["sha256"].as<std::string>(), certs::sha256("arm64"));
}

}  // namespace
}  // namespace winadmit
