// Texts for people: the message of a refusal, warnings that the API server passes on, audit
// annotations. All are bounded; what does not fit is counted.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "policy/judge/finding.hpp"

namespace winadmit::server {

/// What the API server passes on of a warning, and of all warnings to one request
/// (k8s.io/apiserver pkg/endpoints/filters/warning.go: truncateItemRunes, truncateAtTotalRunes).
inline constexpr std::size_t kWarningLimit = 256;
inline constexpr std::size_t kWarningsLimit = 4096;

inline constexpr std::size_t kMessageLimit = 64 * 1024;

/// Of one audit annotation, and of all of one request.
inline constexpr std::size_t kAuditAnnotationLimit = 10 * 1024;
inline constexpr std::size_t kAuditAnnotationsLimit = 64 * 1024;

/// Every finding in a line of its own, the reasons first, then what would only have been warned of.
std::string refusal_message(const Findings& found);

/// The findings as warnings, in their order. A long text is cut before the rule id, which stays.
std::vector<std::string> to_warnings(const Findings& found);

/// The findings by their ids; what is in none is counted in "more-findings".
std::map<std::string, std::string> to_audit_annotations(const Findings& found);

}  // namespace winadmit::server
