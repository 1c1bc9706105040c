// Texts for people: the warnings that the API server passes on, and the message of a refusal.
#pragma once

#include <string>
#include <vector>

#include "policy/finding.hpp"

namespace winadmit::server {

/// What the API server passes on of a warning, and of all warnings to one request
/// (k8s.io/apiserver pkg/endpoints/filters/warning.go: truncateItemRunes, truncateAtTotalRunes).
inline constexpr std::size_t kWarningLimit = 256;
inline constexpr std::size_t kWarningsLimit = 4096;

/// The findings as warnings within the limits, in their order; what does not fit is counted in a
/// last one. A long text is cut before the rule id, which stays.
std::vector<std::string> to_warnings(const std::vector<Finding>& findings);

/// All findings in one message, one line each: the reasons of the refusal, then what would only
/// have been warned of.
std::string to_message(const std::vector<Finding>& findings);

}  // namespace winadmit::server
