#include "cli/judge/near_kind.hpp"

#include <gtest/gtest.h>

#include "policy/pod/pod_kind.hpp"

namespace winadmit::cli {
namespace {

std::string near(const std::string& group, const std::string& kind) {
  return find_near_kind({.group = group, .kind = kind, .name_space = {}, .name = {}});
}

TEST(NearKind, FindsMisspelledKindsAndGroups) {
  EXPECT_EQ(near("", "pod"), "Pod (apiVersion v1)");
  EXPECT_EQ(near("", "Pods"), "Pod (apiVersion v1)");
  EXPECT_EQ(near("apps", "Deployments"), "Deployment (apiVersion apps/v1)");
  EXPECT_EQ(near("apps", "Demonset"), "DaemonSet (apiVersion apps/v1)");
  EXPECT_EQ(near("", "Deployment"), "Deployment (apiVersion apps/v1)");
  EXPECT_EQ(near("bacth", "Job"), "") << "two letters of a short group";
  EXPECT_EQ(near("batc", "Job"), "Job (apiVersion batch/v1)");
}

TEST(NearKind, LeavesOtherKindsAlone) {
  for (const char* kind :
       {"Node", "Service", "Secret", "ConfigMap", "Endpoints", "Event", "Binding", "Namespace",
        "ResourceQuota", "LimitRange", "ServiceAccount", "PersistentVolume"})
    EXPECT_EQ(near("", kind), "") << kind;
  EXPECT_EQ(near("apps", "ControllerRevision"), "");
  EXPECT_EQ(near("policy", "PodDisruptionBudget"), "");
  EXPECT_EQ(near("batch.volcano.sh", "Job"), "") << "another project may have its own Job";
  EXPECT_EQ(near("example.com", "Pods"), "");
  EXPECT_EQ(near("", std::string(100'000, 'P')), "");
}

}  // namespace
}  // namespace winadmit::cli
