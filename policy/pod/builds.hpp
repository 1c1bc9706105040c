// The builds of Windows Server: their node labels and image tags, and which image runs on which
// host.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "policy/pod/image.hpp"

namespace winadmit {

struct WindowsBuild {
  std::string_view label;                  // value of node.kubernetes.io/windows-build
  int number;                              // 17763
  std::span<const std::string_view> tags;  // parts of image tags that name the build
  std::string_view product;
  /// Of a release of the Long-Term Servicing Channel, "2022"; "" for another build, which got
  /// updates for 18 months.
  std::string_view year = "";
};

/// Oldest first (github.com/microsoft/hcsshim osversion/windowsbuilds.go).
std::span<const WindowsBuild> windows_builds();

/// By the value of the node label, "10.0.20348"; null if unknown.
const WindowsBuild* find_build(std::string_view label);

/// Words of tags. A year after one of these words is the year of a release:
/// fluent-bit:windows-2022-3.2.2, teamcity-agent:2025.03-windowsservercore-2022,
/// newrelic-fluentbit-output:2.0-windows-ltsc-2022. With a month after it, it belongs to a date:
/// app:windows-2022-05-17.
inline constexpr std::array<std::string_view, 5> kWordsBeforeYear = {
    "windows", "windows.", "servercore", "nanoserver", "ltsc"};

/// Words after which the name of a build needs no separator: worker-tools:6.4-windows.ltsc2022,
/// gitlab-runner-helper:x86_64-v17.8.3-servercore21H2.
inline constexpr std::array<std::string_view, 3> kWordsBeforeBuild = {"windows.", "servercore",
                                                                      "nanoserver"};

/// The build that the tag of an image names, or null if it names none or several:
/// servercore:ltsc2022, aspnet:4.8-windowsservercore-ltsc2019, nanoserver:10.0.17763.1040,
/// fluent-bit:windows-2022-3.2.2, helper:servercore21H2, but not app:2004 or
/// app:1909-windows-ltsc2019, whose number may be a version.
const WindowsBuild* find_build_of_image(const Image& image);

/// Whether Kubernetes ever supported nodes of a build: since 17763 (KEP-116, "Supported Windows
/// releases").
bool is_supported_host(const WindowsBuild& host);

/// Whether a host runs containers of an image's build with process isolation. Before 20348 the
/// builds must be equal; since then the image may be older than the host, but not older than 20348
/// (hcsshim osversion/platform_compat_windows.go, CheckHostAndContainerCompat; the container
/// compatibility table of KEP-116).
bool can_run_on(const WindowsBuild& image, const WindowsBuild& host);

}  // namespace winadmit
