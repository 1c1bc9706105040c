// `winadmit check` with a baseline; tests/cli/suppress/suppress_test.cpp has its parts.
#include <gtest/gtest.h>

#include <filesystem>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "tests/cli/check_in_folder.hpp"

namespace winadmit {
namespace {

class CheckBaseline : public test::CheckInFolder {};

TEST_F(CheckBaseline, LeavesOutWhatItHas) {
  write("a.yaml", pod("a"));
  const auto written = check("--write-baseline known.json a.yaml");
  EXPECT_EQ(written.exit_code, 0);
  EXPECT_NE(written.out, "") << "findings are still printed";
  write("a.yaml", "# moved\n\n" + pod("a") + "---\n" + pod("b"));
  const auto compared = check("--baseline known.json -o json a.yaml");
  EXPECT_EQ(compared.exit_code, 1);
  const auto report = nlohmann::json::parse(compared.out);
  ASSERT_EQ(report["findings"].size(), 1U);
  EXPECT_EQ(report["findings"][0]["name"], "b");
  EXPECT_EQ(report["summary"]["inBaseline"], 1);
  EXPECT_EQ(check("--baseline known.json a.yaml").err.find("not found"), std::string::npos);
  write("a.yaml", pod("b"));
  EXPECT_NE(check("--baseline known.json a.yaml")
                .err.find("in the baseline, and not found: 1 finding; renew it with "
                          "--write-baseline"),
            std::string::npos);
  EXPECT_EQ(check("--baseline none.json a.yaml").exit_code, 2);
  EXPECT_EQ(check("--write-baseline /nowhere/known.json a.yaml").exit_code, 2);
}

TEST_F(CheckBaseline, OverwritesNoOtherFile) {
  write("a.yaml", pod("a"));
  const auto refused = check("--write-baseline a.yaml -f a.yaml");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("--write-baseline would overwrite a.yaml, which is no baseline"),
            std::string::npos)
      << refused.err;
  EXPECT_EQ(test::read(folder_ / "a.yaml"), pod("a"));
  EXPECT_EQ(check("--write-baseline - a.yaml").exit_code, 2);
  write("empty.json", "");
  EXPECT_EQ(check("--write-baseline empty.json a.yaml").exit_code, 0);
  EXPECT_EQ(check("--write-baseline empty.json a.yaml").exit_code, 0);
}

TEST_F(CheckBaseline, KnowsAFileHoweverItIsNamed) {
  write("a.yaml", pod("a"));
  const std::string folder = folder_.path().string();
  ASSERT_EQ(check("--write-baseline known.json " + folder + "/a.yaml").exit_code, 0);
  const std::string through_parent = "../" + folder_.path().filename().string() + "/a.yaml";
  for (const std::string& name : {std::string("a.yaml"), through_parent})
    EXPECT_EQ(check("--baseline known.json " + name).exit_code, 0) << name;
  write("a.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n");
  const auto gone = check("--baseline known.json a.yaml");
  EXPECT_NE(gone.err.find("in the baseline, and not found: 1 finding"), std::string::npos)
      << gone.err;
}

TEST_F(CheckBaseline, KnowsAContainerOfEachListByItsName) {
  const auto pod_with = [](std::initializer_list<const char*> names) {
    std::string text =
        "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  os: {name: windows}\n"
        "  initContainers:\n  - {name: first, securityContext: {privileged: true}}\n"
        "  containers:\n";
    for (const char* name : names)
      text += "  - {name: " + std::string(name) + ", securityContext: {privileged: true}}\n";
    return text;
  };
  write("a.yaml", pod_with({"a"}));
  ASSERT_EQ(check("--write-baseline known.json a.yaml").exit_code, 0);
  write("a.yaml", pod_with({"new", "a"}));
  const auto compared = check("--baseline known.json a.yaml");
  EXPECT_EQ(compared.exit_code, 1);
  EXPECT_NE(compared.out.find("spec.containers[0]"), std::string::npos) << compared.out;
  EXPECT_EQ(compared.out.find("spec.containers[1]"), std::string::npos) << compared.out;
  EXPECT_EQ(compared.out.find("spec.initContainers"), std::string::npos) << compared.out;
}

TEST_F(CheckBaseline, KnowsAnUnusedCommentByItsRule) {
  const std::string begin =
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\n# winadmit: ignore ";
  write("a.yaml", begin + "host-pid\n");
  ASSERT_EQ(check("--write-baseline known.json a.yaml").exit_code, 0);
  write("a.yaml", begin + "host-ipc\n");
  EXPECT_NE(check("--baseline known.json a.yaml").out, "");
}

TEST_F(CheckBaseline, KnowsAllFindingsOfAPod) {
  write("a.yaml", test::pod_with_findings(150));
  ASSERT_EQ(check("--write-baseline known.json a.yaml").exit_code, 0);
  EXPECT_EQ(check("--baseline known.json a.yaml").exit_code, 0);
  write("a.yaml", test::pod_with_findings(151));
  const auto compared = check("--baseline known.json a.yaml");
  EXPECT_EQ(compared.exit_code, 1) << "a new finding is none of the baseline";
  EXPECT_NE(compared.out.find("spec.containers[150]"), std::string::npos) << compared.out;
  write("a.yaml", test::pod_with_findings(151, /*ignores_last=*/true));
  const auto ignored = check("--baseline known.json a.yaml");
  EXPECT_EQ(ignored.exit_code, 0) << ignored.out;
  EXPECT_EQ(ignored.out, "") << "the comment is used";
}

TEST_F(CheckBaseline, FailsIfAPodHasMoreFindingsThanItCanKnow) {
  write("a.yaml", test::pod_with_findings(1002));
  const auto checked = check("--write-baseline known.json -o sarif a.yaml");
  EXPECT_EQ(checked.exit_code, 2);
  EXPECT_NE(
      checked.err.find("a.yaml:1:1: error: Pod a has too many findings: at least 2 left out\n"),
      std::string::npos)
      << checked.err;
  EXPECT_NE(checked.err.find("known.json is not written"), std::string::npos) << checked.err;
  const auto report = nlohmann::json::parse(checked.out);
  for (const auto& result : report["runs"][0]["results"]) EXPECT_TRUE(result.contains("ruleId"));
}

TEST_F(CheckBaseline, IsWrittenThroughASymbolicLink) {
  write("a.yaml", pod("a"));
  write("real.json", R"({"version": 1, "findings": {}})");
  std::filesystem::create_symlink("real.json", folder_ / "link.json");
  EXPECT_EQ(check("--write-baseline link.json a.yaml").exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "link.json"));
  EXPECT_NE(test::read(folder_ / "real.json").find("host-pid"), std::string::npos);
}

TEST_F(CheckBaseline, IsNotWrittenAfterARunThatCouldNotReadEverything) {
  write("a.yaml", pod("a"));
  const std::string known = write("known.json", R"({"version": 1, "findings": {}})");
  const std::string before = test::read(known);
  const auto checked = check("--write-baseline known.json a.yaml missing.yaml");
  EXPECT_EQ(checked.exit_code, 2);
  EXPECT_NE(checked.err.find("known.json is not written, because of the errors above"),
            std::string::npos)
      << checked.err;
  EXPECT_EQ(test::read(known), before);
}

}  // namespace
}  // namespace winadmit
