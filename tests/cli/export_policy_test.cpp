// `winadmit export policy`. Golden files have the exports of three releases, so that a change of a
// rule shows as a difference of theirs, and the placement by settings that the default does not
// have.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "policy/rules/version.hpp"
#include "tests/cli/binary.hpp"

namespace winadmit {
namespace {

class ExportPolicy : public test::Binary {
 protected:
  /// Compares with a file of tests/data/policies. WINADMIT_UPDATE_GOLDEN=1 writes it.
  void expect_golden(const std::string& name, const std::string& flags) const {
    const auto result = run("export policy " + flags);
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const auto file = test::data("policies/" + name + ".yaml");
    if (std::getenv("WINADMIT_UPDATE_GOLDEN") != nullptr) std::ofstream(file) << result.out;
    EXPECT_EQ(test::read(file), result.out);
  }
};

class Golden : public ExportPolicy, public testing::WithParamInterface<std::string> {};

TEST_P(Golden, IsWhatTheCommandPrints) {
  expect_golden("kubernetes-" + GetParam(), "--kubernetes-version " + GetParam());
}

INSTANTIATE_TEST_SUITE_P(Policies, Golden,
                         testing::Values("1.30", "1.34", to_string(kNewestVersion)),
                         [](const auto& each) { return "v1_" + each.param.substr(2); });

class GoldenOfSettings : public ExportPolicy, public testing::WithParamInterface<std::string> {};

/// The mutating policy alone, which is short: it tells the OS of a pod and places it.
TEST_P(GoldenOfSettings, IsWhatTheCommandPrints) {
  const std::string config = test::data("policies/" + GetParam() + ".config").string();
  expect_golden(GetParam(), "--only mutating --config " + config);
}

INSTANTIATE_TEST_SUITE_P(Policies, GoldenOfSettings, testing::Values("every-setting", "eks"),
                         [](const auto& each) {
                           std::string name = each.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST_F(ExportPolicy, SaysWhatTheApiServerNeeds) {
  EXPECT_NE(run("export policy --kubernetes-version 1.34")
                .out.find("--runtime-config=admissionregistration.k8s.io/v1beta1=true"),
            std::string::npos);
  EXPECT_NE(run("export policy --kubernetes-version 1.31").out.find("nothing places pods"),
            std::string::npos);
  EXPECT_EQ(run("export policy --kubernetes-version 1.36").out.find("feature-gates"),
            std::string::npos);
}

TEST_F(ExportPolicy, PrintsOneKindOnRequest) {
  const std::string validating = run("export policy --only validating").out;
  EXPECT_EQ(validating.find("kind: MutatingAdmissionPolicy"), std::string::npos);
  const std::string mutating = run("export policy --only mutating").out;
  EXPECT_EQ(mutating.find("kind: ValidatingAdmissionPolicy"), std::string::npos);
}

TEST_F(ExportPolicy, LeavesOutNamespacesOnRequest) {
  const auto result = run("export policy --exempt-namespace legacy --exempt-namespace other");
  EXPECT_NE(result.out.find("- legacy"), std::string::npos);
  EXPECT_NE(result.out.find(R"(\"exemptNamespaces\":[\"kube-system\",\"legacy\",\"other\"])"),
            std::string::npos);
  const auto wrong = run("export policy --exempt-namespace a/b");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.err.find("'a/b' is not the name of a namespace"), std::string::npos) << wrong.err;
}

TEST_F(ExportPolicy, TakesADefaultOs) {
  const std::string exported = run("export policy --default-os windows").out;
  const auto file = write("c.yaml", "defaultOs: windows\n");
  EXPECT_EQ(run("export policy --config " + file).out, exported);
  EXPECT_NE(exported, run("export policy").out);
}

TEST_F(ExportPolicy, RefusesReleasesWithoutThePolicies) {
  const auto old = run("export policy --kubernetes-version 1.29");
  EXPECT_EQ(old.exit_code, 2);
  EXPECT_NE(old.err.find("1.30"), std::string::npos) << old.err;
  const auto mutating = run("export policy --only mutating --kubernetes-version 1.31");
  EXPECT_EQ(mutating.exit_code, 2);
  EXPECT_NE(mutating.err.find("1.32"), std::string::npos) << mutating.err;
}

TEST_F(ExportPolicy, ReportsWhatCelCannotSay) {
  const auto report = run("export policy --report");
  EXPECT_EQ(report.exit_code, 0);
  EXPECT_NE(report.out.find("mount-drive: "), std::string::npos) << report.out;
  EXPECT_EQ(run("export policy --report -o yaml").exit_code, 2);
  EXPECT_EQ(run("export policy -o yaml").out, run("export policy").out);
  EXPECT_NE(report.out.find("advice: it is left out: advice-os-hint, "), std::string::npos)
      << report.out;
  const auto json = run("export policy --report -o json");
  EXPECT_NE(json.out.find("\"what\": \"mount-drive\""), std::string::npos) << json.out;
}

TEST_F(ExportPolicy, ReportsTheKeysOfTheConfigurationThatItLeavesOut) {
  const auto file =
      write("c.yaml",
            "setOs: true\nrules: {ctr-rorfs: strip, advice-arch: deny}\n"
            "exempt: {byAnnotation: true, findings: [{rule: host-pid, reason: r}]}\n");
  const auto report = run("export policy --report --config " + file);
  EXPECT_NE(report.out.find("setOs: "), std::string::npos) << report.out;
  EXPECT_NE(report.out.find("exempt.byAnnotation: "), std::string::npos) << report.out;
  EXPECT_NE(report.out.find("exempt.findings: "), std::string::npos) << report.out;
  EXPECT_NE(report.out.find("rules.ctr-rorfs: "), std::string::npos) << report.out;
  EXPECT_NE(report.out.find("rules.advice-arch: "), std::string::npos) << report.out;
}

}  // namespace
}  // namespace winadmit
