#include "policy/judge/resize.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/policy/parsed.hpp"

namespace winadmit {
namespace {

using Names = std::vector<std::string>;

Names refused(const std::string& old_spec, const std::string& spec, const Settings& settings = {}) {
  const test::ParsedPod old_pod(old_spec);
  const test::ParsedPod pod(spec);
  FindingCollector findings;
  judge_resize(old_pod.pod(), pod.pod(), settings, findings);
  Names found;
  for (const Finding& each : findings.extract().kept) {
    found.push_back(each.field + ' ' + std::string(to_string(each.action)));
  }
  return found;
}

std::string with(const std::string& resources, const std::string& more = "") {
  return R"({"containers":[{"name":"a"},{"name":"b")" + resources + "}]" + more + '}';
}

const std::string kOne = R"(,"resources":{"limits":{"memory":"1Gi"},"requests":{"cpu":"1"}})";
const std::string kOneReordered =
    R"(,"resources":{"requests":{"cpu":"1"},"limits":{"memory":"1Gi"}})";
const std::string kTwo = R"(,"resources":{"limits":{"memory":"2Gi"},"requests":{"cpu":"1"}})";
const Names kSecond = {"spec.containers[1].resources deny"};

TEST(Resize, IsRefusedForEachContainerWhoseResourcesChange) {
  EXPECT_EQ(refused(with(kOne), with(kTwo)), kSecond);
  EXPECT_EQ(refused(with(""), with(kOne)), kSecond);
  EXPECT_EQ(refused(with(kOne), with("")), kSecond);
  EXPECT_EQ(refused(with(kOne), with(kOne)), Names{});
  EXPECT_EQ(refused(with(kOne), with(kOneReordered)), Names{});
  EXPECT_EQ(refused(with(""), with(R"(,"resources":{})")), Names{});
  EXPECT_EQ(refused(with(kOne), with(kOne + R"(,"resizePolicy":[])")), Names{});
  const auto init = [](const std::string& resources) {
    return with("", R"(,"initContainers":[{"name":"i")" + resources + "}]");
  };
  EXPECT_EQ(refused(init(kOne), init(kTwo)), Names{"spec.initContainers[0].resources deny"});
  EXPECT_EQ(refused(R"({"containers":[]})", with(kOne)), kSecond) << "the API server refuses it";
}

TEST(Resize, IsJudgedSinceTheApiServerHasItByDefault) {
  Settings settings;
  settings.kubernetes = {1, 33};
  EXPECT_EQ(refused(with(kOne), with(kTwo), settings), kSecond);
  settings.kubernetes = {1, 32};
  EXPECT_EQ(refused(with(kOne), with(kTwo), settings), Names{});
}

TEST(Resize, HasTheConfiguredAction) {
  Settings settings;
  settings.actions["pod-resize"] = Action::warn;
  EXPECT_EQ(refused(with(kOne), with(kTwo), settings), Names{"spec.containers[1].resources warn"});
  settings.actions["pod-resize"] = Action::allow;
  EXPECT_EQ(refused(with(kOne), with(kTwo), settings), Names{});
}

}  // namespace
}  // namespace winadmit
