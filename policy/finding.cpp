#include "policy/finding.hpp"

#include <algorithm>
#include <tuple>

namespace winadmit {

void most_important_first(std::vector<Finding>& findings) {
  const auto denies = [](const Finding& each) { return each.action == Action::deny; };
  if (!std::ranges::is_partitioned(findings, denies)) {  // mostly they are, and are long to move
    std::ranges::stable_partition(findings, denies);
  }
}

namespace {

bool same_value(const std::optional<Json>& a, const std::optional<Json>& b) {
  if (!a || !b) return !a && !b;
  return same_json(*a, *b);
}

}  // namespace

OldFindings::OldFindings(const std::vector<Finding>& findings) {
  findings_.reserve(findings.size());
  for (const Finding& each : findings) {
    findings_.push_back({each.id, each.path.identity(), each.value});
  }
  std::ranges::sort(findings_, {}, [](const Old& old) { return std::tie(old.id, old.identity); });
}

bool OldFindings::had(const Finding& finding) const {
  const std::string identity = finding.path.identity();
  const auto same_key =
      std::ranges::equal_range(findings_, std::tie(finding.id, identity), {},
                               [](const Old& old) { return std::tie(old.id, old.identity); });
  return std::ranges::any_of(same_key,
                             [&](const Old& old) { return same_value(old.value, finding.value); });
}

}  // namespace winadmit
