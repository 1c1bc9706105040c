#include "cli/project/turned_down.hpp"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <vector>

#include "policy/judge/advice_kinds.hpp"
#include "policy/rules/rule.hpp"

namespace winadmit::cli {
namespace {

/// What is stripped is not found any more.
int weight(Action action) {
  if (action == Action::deny) return 2;
  return action == Action::warn ? 1 : 0;
}

int default_weight(std::string_view id) {
  int most = 0;
  for (const Rule& each : rules()) {
    if (each.id == id) most = std::max(most, weight(each.action));
  }
  for (const AdviceKind& each : advice_kinds()) {
    if (each.id == id) most = std::max(most, weight(each.action));
  }
  return most;
}

}  // namespace

std::set<std::string> turned_down_rules(const server::Config& policy) {
  std::set<std::string> ids;
  for (const auto& [id, action] : policy.policy.actions) {
    if (weight(action) < default_weight(id)) ids.insert(id);
  }
  const auto today = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
  for (const server::FindingExemption& each : policy.exempt.findings) {
    if (each.has_ended(today)) continue;
    if (each.rule.empty()) ids.insert(finding_ids().begin(), finding_ids().end());
    if (!each.rule.empty()) ids.insert(each.rule);
  }
  return ids;
}

}  // namespace winadmit::cli
