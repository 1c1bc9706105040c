#include "policy/finding.hpp"

#include <algorithm>

namespace winadmit {

void most_important_first(std::vector<Finding>& findings) {
  std::ranges::stable_partition(findings,
                                [](const Finding& each) { return each.action == Action::deny; });
}

bool was_there_before(const Finding& finding, const std::vector<Finding>& old_findings) {
  return std::ranges::any_of(old_findings, [&](const Finding& old) {
    if (old.id != finding.id || old.identity != finding.identity) return false;
    if (!old.value || !finding.value) return !old.value && !finding.value;
    return same_json(*old.value, *finding.value);
  });
}

}  // namespace winadmit
