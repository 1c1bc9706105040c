#include "cli/report/sarif_rules.hpp"

#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "cli/judge/check_advice.hpp"
#include "cli/judge/manifest_finding.hpp"
#include "policy/rules/rule.hpp"

namespace winadmit::cli {
namespace {

using nlohmann::ordered_json;

struct Description {
  std::string text;  // why, or when
  std::set<std::string> help;
  bool is_denial = false;
};

/// Rows with the same id make one rule.
const std::map<std::string, Description, std::less<>>& descriptions() {
  static const auto kAll = [] {
    std::map<std::string, Description, std::less<>> all;
    for (const Rule& rule : rules()) {
      Description& made = all[std::string(rule.id)];
      if (made.text.empty()) made.text = rule.reason;
      made.help.emplace(rule.instead);
      made.is_denial |= rule.action == Action::deny;
    }
    const auto add = [&](const AdviceKind& kind) {
      all[std::string(kind.id)] = {.text = std::string(kind.when),
                                   .help = {std::string(kind.instead)},
                                   .is_denial = kind.action == Action::deny};
    };
    for (const AdviceKind& kind : advice_kinds()) add(kind);
    for (const AdviceKind& kind : check_advice()) add(kind);
    return all;
  }();
  return kAll;
}

std::string joined(const std::set<std::string>& texts) {
  std::string text;
  for (const std::string& each : texts) text += (text.empty() ? "" : "; or ") + each;
  return text;
}

}  // namespace

ordered_json sarif_rules() {
  ordered_json list = ordered_json::array();
  for (const auto& [id, description] : descriptions()) {
    ordered_json row = {
        {"id", id},
        {"shortDescription", {{"text", description.text}}},
        {"help", {{"text", joined(description.help)}}},
        {"defaultConfiguration", {{"level", description.is_denial ? "error" : "warning"}}}};
    if (const std::string url = source_url(id); !url.empty()) row["helpUri"] = url;
    list.push_back(std::move(row));
  }
  return list;
}

int sarif_rule_index(const std::string& rule) {
  const auto found = descriptions().find(rule);
  return found == descriptions().end()
             ? -1
             : static_cast<int>(std::distance(descriptions().begin(), found));
}

}  // namespace winadmit::cli
