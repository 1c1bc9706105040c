// What changes for Windows pods between two releases of Kubernetes.
#pragma once

#include <string>
#include <vector>

#include "policy/rules/version.hpp"

namespace winadmit::cli {

/// A change of what a rule or an advice says about a field. `before` and `after` say "deny: true."
struct RuleChange {
  std::string what;  // added, ended or changed
  std::string id;
  std::string field;   // empty for advice
  std::string before;  // empty if added
  std::string after;   // empty if ended
};

/// Ordered by id.
std::vector<RuleChange> rule_changes(Version from, Version to);

std::string changes_as_table(Version from, Version to, std::size_t width);
std::string changes_as_json(Version from, Version to);

}  // namespace winadmit::cli
