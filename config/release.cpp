#include "config/release.hpp"

#include <algorithm>

namespace winadmit::server {

std::optional<Version> parse_release(std::string_view text) {
  const auto version = parse_version(text);
  return version && *version >= kOldestVersion ? version : std::nullopt;
}

std::string release_error(const std::string& what, const std::string& text) {
  return what + " must be Kubernetes " + to_string(kOldestVersion) + " or later, not '" + text +
         "'";
}

Version known_release(Version named) { return std::min(named, kNewestVersion); }

std::string newer_release_note(Version named) {
  if (named <= kNewestVersion) return {};
  const std::string newest = to_string(kNewestVersion);
  return "Kubernetes " + to_string(named) + " is newer than " + newest +
         ", the newest release that winadmit knows: the rules of " + newest + " hold";
}

std::string pod_os_error(const std::string& what, Version version) {
  if (version >= kPodOsVersion) return {};
  return what + " needs Kubernetes " + to_string(kPodOsVersion) + " or later, which has spec.os";
}

}  // namespace winadmit::server
