// `winadmit export policy`. The exports of three releases are golden files, so that a change of a
// rule shows as a difference of theirs.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "tests/cli/binary.hpp"

namespace winadmit {
namespace {

class ExportPolicy : public test::Binary {};

class Golden : public test::Binary, public testing::WithParamInterface<std::string> {};

/// WINADMIT_UPDATE_GOLDEN=1 writes the file.
TEST_P(Golden, IsWhatTheCommandPrints) {
  const auto result = run("export policy --kubernetes-version " + GetParam());
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto file = test::data("policies/kubernetes-" + GetParam() + ".yaml");
  if (std::getenv("WINADMIT_UPDATE_GOLDEN") != nullptr) std::ofstream(file) << result.out;
  EXPECT_EQ(test::read(file), result.out);
}

INSTANTIATE_TEST_SUITE_P(Policies, Golden, testing::Values("1.30", "1.34", "1.36"),
                         [](const auto& each) { return "v1_" + each.param.substr(2); });

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
  EXPECT_NE(report.out.find("advice-namespace-label: "), std::string::npos) << report.out;
  const auto json = run("export policy --report -o json");
  EXPECT_NE(json.out.find("\"what\": \"mount-drive\""), std::string::npos) << json.out;
}

TEST_F(ExportPolicy, ReportsTheKeysOfTheConfigurationThatItLeavesOut) {
  const auto file =
      write("c.yaml", "setOs: true\nrules: {ctr-rorfs: strip}\nexempt: {byAnnotation: true}\n");
  const auto report = run("export policy --report --config " + file);
  EXPECT_NE(report.out.find("setOs: "), std::string::npos) << report.out;
  EXPECT_NE(report.out.find("exempt.byAnnotation: "), std::string::npos) << report.out;
  EXPECT_NE(report.out.find("rules.ctr-rorfs: "), std::string::npos) << report.out;
}

}  // namespace
}  // namespace winadmit
