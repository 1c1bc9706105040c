// The releases of Kubernetes that a policy can be for, as users name them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "policy/rules/version.hpp"

namespace winadmit::server {

/// Nothing unless `text` is kOldestVersion or later. A release after kNewestVersion is no error:
/// clusters are upgraded before winadmit knows their release.
std::optional<Version> parse_release(std::string_view text);

/// "WHAT must be Kubernetes 1.14 or later, not 'TEXT'".
std::string release_error(const std::string& what, const std::string& text);

/// The release whose rules hold for the release that a user names.
Version known_release(Version named);

/// What to tell a user who names a release that is newer than the newest known. Else empty.
std::string newer_release_note(Version named);

/// Why `what`, which sets spec.os, cannot be used in a release; empty if it can.
std::string pod_os_error(const std::string& what, Version version);

}  // namespace winadmit::server
