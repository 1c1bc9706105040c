// Texts for people: the warnings that the API server passes on, and the message of a refusal.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
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

/// What begins a line of a message with several.
inline constexpr Escaped kNextLine{"\n* ", R"(\n* )"};

/// The message of a refusal, piece by piece by put(text...): every finding in a line of its own,
/// the reasons first, then what would only have been warned of.
template <class Put>
void say(std::span<const Finding> findings, Put put) {
  if (findings.size() == 1) return findings.front().say(put);
  const auto denials =
      static_cast<std::size_t>(std::ranges::count(findings, Action::deny, &Finding::action));
  put("refused for ", Decimal(denials), denials == 1 ? " reason:" : " reasons:");
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (i == denials) put("\nand warned of:");
    findings[i].say(put, kNextLine);
  }
}

}  // namespace winadmit::server
