#include "policy/pod/builds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace winadmit {
namespace {

std::string build_of(std::string_view image) {
  const WindowsBuild* build = find_build_of_image(parse_image(image));
  return build == nullptr ? "" : std::string(build->label);
}

TEST(Builds, AreFoundByLabel) {
  int last = 0;
  for (const WindowsBuild& build : windows_builds()) {
    EXPECT_EQ(find_build(build.label), &build);
    EXPECT_EQ(build.label, "10.0." + std::to_string(build.number));
    EXPECT_LT(last, build.number) << "oldest first";
    last = build.number;
  }
  EXPECT_EQ(find_build("10.0.1"), nullptr);
  EXPECT_EQ(find_build(""), nullptr);
}

TEST(Builds, AreFoundByEveryTag) {
  for (const WindowsBuild& build : windows_builds()) {
    for (const std::string_view tag : build.tags) {
      EXPECT_EQ(build_of("windows/app:" + std::string(tag)), build.label);
      EXPECT_EQ(build_of("app:4.8-windowsservercore-" + std::string(tag)), build.label);
      EXPECT_EQ(build_of("nanoserver:" + std::string(tag) + "_1"), build.label);
    }
    EXPECT_EQ(build_of("app:" + std::string(build.label)), build.label);
    EXPECT_EQ(build_of("app:" + std::string(build.label) + ".1040"), build.label);
  }
}

TEST(Builds, AreNotFoundInWhatIsTooLongForATag) {
  const std::string longest = "windows-ltsc2022-" + std::string(111, 'a');
  EXPECT_EQ(build_of("app:" + longest), "10.0.20348");
  EXPECT_EQ(build_of("app:" + longest + 'a'), "");
}

TEST(Builds, AreFoundByLtscInEveryImage) { EXPECT_EQ(build_of("app:1-ltsc2022"), "10.0.20348"); }

TEST(Builds, AreFoundByTheYearBehindTheWordWindows) {
  EXPECT_EQ(build_of("fluent/fluent-bit:windows-2022-3.2.2"), "10.0.20348");
  EXPECT_EQ(build_of("collector:0.155.0-windows-2019-amd64"), "10.0.17763");
  EXPECT_EQ(build_of("app:windows_2025"), "10.0.26100");
  EXPECT_EQ(build_of("app:windows-2016"), "10.0.14393");
  for (const char* const image :
       {"app:2022", "app:2022-windows", "app:windows-1.2022", "app:windows-2022.1",
        "app:windows-20221", "app:windows-2021", "app-windows-2022:1", "app:windows-amd64-2022"}) {
    EXPECT_EQ(build_of(image), "") << image;
  }
}

TEST(Builds, AreFoundInTheTagsOfVendors) {
  for (const char* const image :
       {"jetbrains/teamcity-agent:2025.03.2-windowsservercore-2022",
        "jetbrains/teamcity-minimal-agent:2025.11.1-nanoserver-2022",
        "octopusdeploy/worker-tools:6.4.0-windows.ltsc2022",
        "newrelic/newrelic-fluentbit-output:2.0.0-windows-ltsc-2022", "app:1-ltsc_2022",
        "app:nanoserver--2022", "app:servercore__2022-1", "app:windows-2022-5.17",
        "app:windows-2022-13", "gitlab-runner-helper:x86_64-v17.8.3-servercore21H2",
        "gitlab-runner-helper:x86_64-v17.8.3-nanoserver21H2"}) {
    EXPECT_EQ(build_of(image), "10.0.20348") << image;
  }
  EXPECT_EQ(build_of("gitlab-runner-helper:x86_64-v17.8.3-servercore1809"), "10.0.17763");
  EXPECT_EQ(build_of("app:windows-24H2"), "10.0.26100");
  for (const char* const image :
       {"app:21H2", "app:1-2022-servercore", "app:servercore2022x", "app:windows.",
        "app:ltsc-20222", "app:servercore21H2-ltsc2019", "app:windows-2022-05-17",
        "app:1-windows-2019-12", "app:windows-2022-nanoserver-2019-05",
        "app:servercore_2022__01"}) {
    EXPECT_EQ(build_of(image), "") << image;
  }
}

TEST(Builds, AreNotFoundByOtherTags) {
  for (const char* const image :
       {"app", "app:latest", "app:10.0.177631", "app:ltsc20222", "app:x1809", "app:1.1809",
        "ltsc2022/app:1", "app:-", "app:", "app:2004", "app:1.2-1909"}) {
    EXPECT_EQ(build_of(image), "") << image;
  }
}

TEST(Builds, AreNotFoundByATagWithSeveral) {
  EXPECT_EQ(build_of("app:1909-windowsservercore-ltsc2019"), "");
  EXPECT_EQ(build_of("app:ltsc2022-ltsc2019"), "");
  EXPECT_EQ(build_of("servercore:ltsc2022-10.0.20348.1"), "10.0.20348");
}

TEST(Builds, RunOnTheSameBuildAndSince20348OnNewerHosts) {
  const auto runs = [](const char* image, const char* host) {
    return can_run_on(*find_build(image), *find_build(host));
  };
  EXPECT_TRUE(runs("10.0.17763", "10.0.17763"));
  EXPECT_FALSE(runs("10.0.17763", "10.0.18362"));
  EXPECT_FALSE(runs("10.0.17763", "10.0.20348"));
  EXPECT_FALSE(runs("10.0.20348", "10.0.17763"));
  EXPECT_TRUE(runs("10.0.20348", "10.0.20348"));
  EXPECT_TRUE(runs("10.0.20348", "10.0.26100"));
  EXPECT_FALSE(runs("10.0.26100", "10.0.20348"));
}

TEST(Builds, WithLongTermSupportHaveAYear) {
  EXPECT_EQ(find_build("10.0.17763")->year, "2019");
  EXPECT_EQ(find_build("10.0.18363")->year, "");
  for (const WindowsBuild& each : windows_builds()) {
    const std::string tag = "ltsc" + std::string(each.year);
    EXPECT_EQ(std::ranges::find(each.tags, tag) != each.tags.end(), !each.year.empty())
        << each.label;
  }
}

TEST(Builds, OfNodesAreSupportedSince17763) {
  EXPECT_FALSE(is_supported_host(*find_build("10.0.17134")));
  EXPECT_TRUE(is_supported_host(*find_build("10.0.17763")));
  EXPECT_TRUE(is_supported_host(*find_build("10.0.26100")));
}

}  // namespace
}  // namespace winadmit
