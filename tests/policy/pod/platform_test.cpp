#include "policy/pod/platform.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "policy/pod/builds.hpp"

namespace winadmit {
namespace {

TEST(Platform, HasAUniqueIdANameAndASource) {
  std::set<std::string_view> ids;
  for (const Platform& each : platforms()) {
    SCOPED_TRACE(each.id);
    EXPECT_TRUE(ids.insert(each.id).second);
    EXPECT_FALSE(each.name.empty());
    EXPECT_TRUE(each.source.starts_with("https://") || each.id == "any");
    EXPECT_EQ(find_platform(each.id), &each);
  }
  EXPECT_EQ(find_platform("Kep"), nullptr);
  EXPECT_EQ(find_platform(""), nullptr);
  EXPECT_EQ(default_platform().id, "kep");
}

TEST(Platform, NamesKnownBuilds) {
  for (const Platform& platform : platforms()) {
    SCOPED_TRACE(platform.id);
    for (const PlatformTaint& each : platform.taints) {
      EXPECT_TRUE(each.build.empty() || find_build(each.build) != nullptr) << each.build;
    }
    for (const PlatformLabel& each : platform.labels) {
      EXPECT_TRUE(each.build.empty() || find_build(each.build) != nullptr) << each.build;
    }
  }
}

/// Without one of them, the taints of the default platform no longer tell the builds of nodes.
TEST(Platform, KepHasATaintForEachSupportedBuildWithLongTermSupport) {
  const auto by_build = tolerations_by_build_of(default_platform());
  for (const WindowsBuild& each : windows_builds()) {
    EXPECT_EQ(by_build.contains(each.label), is_supported_host(each) && !each.year.empty())
        << each.label;
  }
}

TEST(Platform, HasTolerationsForItsTaints) {
  const auto text = [](const std::vector<Toleration>& tolerations) {
    std::string joined;
    for (const Toleration& each : tolerations) {
      if (!joined.empty()) joined += ' ';
      joined.append(each.key).append("=").append(each.value).append(":").append(each.effect);
      EXPECT_EQ(each.op, "Equal");
    }
    return joined;
  };
  struct Case {
    std::string id, tolerations, of_2022;
  };
  const Case kCases[] = {
      {"kep", "os=Win1809:NoSchedule", "os=Win2022:NoSchedule"},
      {"kubernetes", "os=windows:NoSchedule", "none"},
      {"eks", "os=windows:NoSchedule", "none"},
      {"gke", "node.kubernetes.io/os=windows:NoSchedule", "none"},
      {"openshift", "os=Windows:NoSchedule", "none"},
      {"aks", "", "none"},
      {"rke2", "", "none"},
      {"any",
       "os=Win1809:NoSchedule os=Win2022:NoSchedule os=Win2025:NoSchedule os=windows:NoSchedule "
       "node.kubernetes.io/os=windows:NoSchedule os=Windows:NoSchedule",
       "none"},
  };
  EXPECT_EQ(std::size(kCases), platforms().size()) << "a new platform needs a case";
  for (const Case& each : kCases) {
    SCOPED_TRACE(each.id);
    const Platform* const platform = find_platform(each.id);
    ASSERT_NE(platform, nullptr);
    EXPECT_EQ(text(tolerations_of(*platform)), each.tolerations);
    const TolerationsByBuild by_build = tolerations_by_build_of(*platform);
    const auto of_2022 = by_build.find("10.0.20348");
    EXPECT_EQ(of_2022 == by_build.end() ? "none" : text(of_2022->second), each.of_2022);
  }
}

TEST(Platform, HasLabelsThatMeanWindows) {
  EXPECT_TRUE(windows_labels_of(*find_platform("kep")).empty());
  const WindowsLabels aks = windows_labels_of(*find_platform("aks"));
  const WindowsLabelValues& os_sku = aks.at("kubernetes.azure.com/os-sku");
  EXPECT_EQ(os_sku.at("Windows2019"), "10.0.17763");
  EXPECT_EQ(os_sku.at("Windows2022"), "10.0.20348");
  EXPECT_EQ(os_sku.at("Windows2025"), "10.0.26100");
  EXPECT_EQ(os_sku.at("WindowsAnnual"), "");
  EXPECT_EQ(windows_labels_of(*find_platform("openshift")).at("node.openshift.io/os_id"),
            (WindowsLabelValues{{"Windows", ""}}));
  EXPECT_EQ(windows_labels_of(*find_platform("gke")).at("cloud.google.com/gke-os-distribution"),
            (WindowsLabelValues{{"windows_ltsc", ""}, {"windows_sac", ""}}));
  EXPECT_EQ(windows_labels_of(*find_platform("gke")).at("cloud.google.com/gke-windows-os-version"),
            (WindowsLabelValues{{"2019", "10.0.17763"}, {"2022", "10.0.20348"}}));
}

}  // namespace
}  // namespace winadmit
