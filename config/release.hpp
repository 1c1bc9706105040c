// The releases of Kubernetes that a policy can be for, as users name them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "policy/rules/version.hpp"

namespace winadmit::server {

/// Nothing unless `text` is a release from kOldestVersion to kNewestVersion.
std::optional<Version> parse_release(std::string_view text);

/// "WHAT must be 1.14 to 1.36, not 'TEXT'".
std::string release_error(const std::string& what, const std::string& text);

/// Why `what`, which sets spec.os, cannot be used in a release; empty if it can.
std::string pod_os_error(const std::string& what, Version version);

}  // namespace winadmit::server
