// The kinds of advice in CEL.
#pragma once

#include <vector>

#include "policy/cel/cel_finding.hpp"
#include "policy/cel/cel_text.hpp"
#include "policy/judge/settings.hpp"

namespace winadmit {

/// The finding of each kind of advice that the release and the settings have, on pod_variables()
/// and missing_placement(). `judged` chooses among the places of each.
std::vector<CelFinding> advice_findings(const Settings& settings, Judged judged);

/// The variables that these findings read, too.
std::vector<CelVariable> advice_variables(const Settings& settings);

/// A kind of advice that CEL cannot give, or gives in fewer cases, with the reason as a clause.
struct CelGap {
  std::string_view id;
  std::string_view reason;
};
std::vector<CelGap> advice_gaps();

}  // namespace winadmit
