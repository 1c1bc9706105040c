// The texts of a response: the message of a refusal, warnings and audit annotations. Each has a
// limit; findings that do not fit are counted.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "policy/judge/finding.hpp"

namespace winadmit::server {

/// In bytes: of one warning, and of all warnings to one request. The API server truncates more
/// (k8s.io/apiserver pkg/endpoints/filters/warning.go: truncateItemRunes, truncateAtTotalRunes).
inline constexpr std::size_t kWarningLimit = 256;
inline constexpr std::size_t kWarningsLimit = 4096;

/// In bytes.
inline constexpr std::size_t kMessageLimit = 64 * 1024;

/// In bytes: of one audit annotation, and of all annotations of one request.
inline constexpr std::size_t kAuditAnnotationLimit = 10 * 1024;
inline constexpr std::size_t kAuditAnnotationsLimit = 64 * 1024;

/// One line for each finding: denials first, then warnings.
std::string refusal_message(const Findings& findings);

/// In the order of the findings. A long text is cut before the rule id.
std::vector<std::string> to_warnings(const Findings& findings);

/// By rule id. "more-findings" counts the findings that did not fit.
std::map<std::string, std::string> to_audit_annotations(const Findings& findings);

}  // namespace winadmit::server
