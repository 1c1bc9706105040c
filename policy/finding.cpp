#include "policy/finding.hpp"

#include <algorithm>
#include <tuple>

namespace winadmit {

void most_important_first(std::vector<Finding>& findings) {
  std::ranges::stable_partition(findings,
                                [](const Finding& each) { return each.action == Action::deny; });
}

namespace {

auto key_of(const Finding& finding) { return std::tie(finding.id, finding.identity); }

bool same_value(const Finding& a, const Finding& b) {
  if (!a.value || !b.value) return !a.value && !b.value;
  return same_json(*a.value, *b.value);
}

}  // namespace

OldFindings::OldFindings(std::vector<Finding> findings) : findings_(std::move(findings)) {
  std::ranges::sort(findings_, {}, key_of);
}

bool OldFindings::had(const Finding& finding) const {
  const auto same_key = std::ranges::equal_range(findings_, key_of(finding), {}, key_of);
  return std::ranges::any_of(same_key,
                             [&](const Finding& old) { return same_value(old, finding); });
}

}  // namespace winadmit
