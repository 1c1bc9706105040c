#include "cli/report/sarif_rules.hpp"

#include <iterator>

#include "cli/judge/check_advice.hpp"
#include "cli/judge/manifest_finding.hpp"
#include "policy/rules/rule.hpp"

namespace winadmit::cli {
namespace {

using nlohmann::ordered_json;

std::string joined(const std::set<std::string_view>& texts) {
  std::string text;
  for (const std::string_view each : texts) text.append(text.empty() ? "" : "; or ").append(each);
  return text;
}

}  // namespace

SarifRules::SarifRules(Version version) {
  for (const Rule& rule : rules()) {
    if (!rule.versions.contains(version)) continue;
    Description& made = all_[rule.id];
    if (made.text.empty()) made.text = rule.reason;
    if (made.source.empty()) made.source = rule.source;
    made.help.insert(rule.instead);
    made.is_denial |= rule.action == Action::deny;
  }
  for (const AdviceKind& kind : all_advice()) {
    if (!kind.versions.contains(version)) continue;
    all_[kind.id] = {.text = kind.when,
                     .source = kind.source,
                     .help = {kind.instead},
                     .is_denial = kind.action == Action::deny};
  }
}

ordered_json SarifRules::descriptors() const {
  ordered_json list = ordered_json::array();
  for (const auto& [id, description] : all_) {
    ordered_json row = {
        {"id", id},
        {"shortDescription", {{"text", description.text}}},
        {"help", {{"text", joined(description.help)}}},
        {"defaultConfiguration", {{"level", description.is_denial ? "error" : "warning"}}}};
    if (const std::string url = first_url(description.source); !url.empty()) row["helpUri"] = url;
    list.push_back(std::move(row));
  }
  return list;
}

int SarifRules::index_of(const std::string& rule) const {
  const auto found = all_.find(rule);
  return found == all_.end() ? -1 : static_cast<int>(std::distance(all_.begin(), found));
}

}  // namespace winadmit::cli
