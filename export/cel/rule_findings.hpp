// The rows of the rule table in CEL.
#pragma once

#include <string>
#include <vector>

#include "export/cel/cel_finding.hpp"
#include "policy/judge/settings.hpp"
#include "policy/rules/rule.hpp"

namespace winadmit {

/// The findings that a row can make under these settings: none if its version or its action says
/// so or if CEL cannot say it, two if strict gives some values another action. A removable field is
/// a warning: a policy that validates cannot remove it.
std::vector<CelFinding> rule_findings(const Rule& rule, const Settings& settings, Judged judged);

/// Where the CEL of a row differs from the server, or why there is none, as clauses; empty if
/// nowhere.
std::vector<std::string> cel_differences(const Rule& rule);

}  // namespace winadmit
