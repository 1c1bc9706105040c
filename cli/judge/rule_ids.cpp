#include "cli/judge/rule_ids.hpp"

#include <algorithm>

#include "cli/judge/check_advice.hpp"
#include "text/similar.hpp"

namespace winadmit::cli {

const std::vector<std::string_view>& rule_ids() {
  static const std::vector<std::string_view> kIds = [] {
    std::vector<std::string_view> ids = finding_ids();
    for (const AdviceKind& each : check_advice()) ids.push_back(each.id);
    return ids;
  }();
  return kIds;
}

bool is_rule_id(std::string_view word) {
  return std::ranges::find(rule_ids(), word) != rule_ids().end();
}

std::string suggest_rule(std::string_view word) { return suggestion(word, rule_ids()); }

}  // namespace winadmit::cli
