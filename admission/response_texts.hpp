// The texts of a response: the message of a refusal, warnings and audit annotations. Each has a
// limit; findings that do not fit are counted.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "policy/judge/finding.hpp"
#include "policy/judge/patch.hpp"

namespace winadmit::server {

/// In bytes: of one warning, and of all warnings to one request. The API server truncates more
/// (k8s.io/apiserver pkg/endpoints/filters/warning.go: truncateItemRunes, truncateAtTotalRunes).
inline constexpr std::size_t kWarningLimit = 256;
inline constexpr std::size_t kWarningsLimit = 4096;

/// In bytes: of the message of a refusal, and of its first line where the ids of many rules would
/// make it longer. With what the API server and a controller write before it, the first line then
/// fits the 1,024 bytes of an event's note (k8s.io/kubernetes pkg/apis/core/validation/events.go).
inline constexpr std::size_t kMessageLimit = 64 * 1024;
inline constexpr std::size_t kFirstLineLimit = 800;

/// In bytes: of one audit annotation, and of all annotations of one request.
inline constexpr std::size_t kAuditAnnotationLimit = 10 * 1024;
inline constexpr std::size_t kAuditAnnotationsLimit = 64 * 1024;

/// The first line says enough alone, because `kubectl get events` prints no other: the number of
/// denials, the first in full, and the rule ids of the others. A line for each finding follows,
/// denials first. A single denial has no summary.
std::string refusal_message(const Findings& findings);

/// In the order of the findings. Of a long one the lead is left out, then the middle of the field,
/// then the end of the reason; what to do and the rule id stay.
std::vector<std::string> to_warnings(const Findings& findings);

/// What a patch would change. Such as: add /spec/nodeSelector {"kubernetes.io/os":"linux"}.
/// `tolerates_every_taint`: of a DaemonSet, whose pods then run on every node.
std::string default_os_change(const Patch& patch, bool tolerates_every_taint);

/// By rule id. "more-findings" counts the findings that did not fit.
std::map<std::string, std::string> to_audit_annotations(const Findings& findings);

}  // namespace winadmit::server
