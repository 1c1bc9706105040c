#include "policy/pod/pod_kind.hpp"

#include <gtest/gtest.h>

namespace winadmit {
namespace {

TEST(PodKind, IsFoundByKindAndGroup) {
  for (const PodKind& kind : pod_kinds()) {
    EXPECT_EQ(find_pod_kind(kind.kind, kind.group), &kind) << kind.kind;
    EXPECT_EQ(find_pod_kind(kind.kind, "example.com"), nullptr) << kind.kind;
    EXPECT_EQ(kind.is_pod(), kind.kind == "Pod");
    EXPECT_EQ(kind.is_daemon_set(), kind.kind == "DaemonSet");
  }
  EXPECT_EQ(find_pod_kind("Service"), nullptr);
  EXPECT_EQ(find_pod_kind(""), nullptr);
}

TEST(PodKind, OfAppsIsFoundInExtensions) {
  EXPECT_EQ(find_pod_kind("Deployment", "extensions"), find_pod_kind("Deployment", "apps"));
  EXPECT_EQ(find_pod_kind("Job", "extensions"), nullptr);
  EXPECT_EQ(find_pod_kind("Pod", "extensions"), nullptr);
}

}  // namespace
}  // namespace winadmit
