// In CEL, what advice_kinds() has beside advice: denials that are not about one field.
#pragma once

#include <vector>

#include "export/cel/cel_finding.hpp"
#include "policy/judge/settings.hpp"

namespace winadmit {

/// The finding of each of these kinds that the release and the settings have, on pod_variables().
/// `judged` chooses among the places of each.
std::vector<CelFinding> kind_findings(const Settings& settings, Judged judged);

/// Whether a kind of advice_kinds() is in kind_findings(): advice is not.
bool has_cel(std::string_view id);

}  // namespace winadmit
