#include "config/release.hpp"

namespace winadmit::server {

std::optional<Version> parse_release(std::string_view text) {
  const auto version = parse_version(text);
  const bool is_known = version && *version >= kOldestVersion && *version <= kNewestVersion;
  return is_known ? version : std::nullopt;
}

std::string release_error(const std::string& what, const std::string& text) {
  return what + " must be " + to_string(kOldestVersion) + " to " + to_string(kNewestVersion) +
         ", not '" + text + "'";
}

std::string pod_os_error(const std::string& what, Version version) {
  if (version >= kPodOsVersion) return {};
  return what + " needs Kubernetes " + to_string(kPodOsVersion) + " or later, which has spec.os";
}

}  // namespace winadmit::server
