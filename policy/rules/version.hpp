// Kubernetes releases. Only minor releases matter: no patch release changed what a Windows pod may
// use.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace winadmit {

struct Version {
  int major = 1;
  int minor = 0;

  friend constexpr auto operator<=>(const Version&, const Version&) = default;
};

/// The first release with stable Windows nodes.
inline constexpr Version kOldestVersion{1, 14};
/// The newest release that the policy was checked against.
inline constexpr Version kNewestVersion{1, 36};
/// The first release in which the API server validates pods by spec.os by default (KEP-2802
/// "Identify Windows pods at API admission level": alpha in 1.23, beta in 1.24, stable in 1.25).
inline constexpr Version kPodOsVersion{1, 24};

/// The first release with HostProcess containers (KEP-1981, alpha).
inline constexpr Version kHostProcessVersion{1, 22};

/// The releases from first to last, inclusive.
struct VersionRange {
  Version first = kOldestVersion;
  Version last{1, 999};

  constexpr bool contains(Version version) const { return first <= version && version <= last; }
  constexpr bool overlaps(const VersionRange& other) const {
    return first <= other.last && other.first <= last;
  }
};

constexpr VersionRange since(int major, int minor) { return {.first = {major, minor}}; }
constexpr VersionRange between(Version first, Version last) { return {first, last}; }

/// Parses "1.34", "v1.34.4", and what clusters report: "v1.34.4-gke.100" and "1.34+". Nothing for
/// any other text. Accepts releases that do not exist.
std::optional<Version> parse_version(std::string_view text);

/// "1.34".
std::string to_string(Version version);

/// "1.22+", "1.14" or "1.14-1.19".
std::string to_string(VersionRange range);

}  // namespace winadmit
