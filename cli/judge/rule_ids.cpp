#include "cli/judge/rule_ids.hpp"

#include <algorithm>

#include "cli/judge/check_advice.hpp"
#include "policy/json/similar.hpp"
#include "policy/rules/rule.hpp"

namespace winadmit::cli {

const std::vector<std::string_view>& rule_ids() {
  static const std::vector<std::string_view> kIds = [] {
    std::vector<std::string_view> ids;
    const auto add = [&](std::string_view id) {
      if (std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
    };
    for (const Rule& each : rules()) add(each.id);
    for (const AdviceKind& each : all_advice()) add(each.id);
    return ids;
  }();
  return kIds;
}

bool is_rule_id(std::string_view word) {
  return std::ranges::find(rule_ids(), word) != rule_ids().end();
}

std::string suggest_rule(std::string_view word) { return suggestion(word, rule_ids()); }

}  // namespace winadmit::cli
