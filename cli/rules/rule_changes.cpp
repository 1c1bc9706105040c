#include "cli/rules/rule_changes.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/judge/check_advice.hpp"
#include "cli/rules/rule_text.hpp"
#include "cli/terminal/wrap.hpp"

namespace winadmit::cli {
namespace {

struct State {
  std::string id;
  std::string field;
  std::string text;  // of all rows with this id and field

  bool is_about(const State& other) const { return id == other.id && field == other.field; }
};

void add(std::vector<State>& states, State state) {
  const auto same =
      std::ranges::find_if(states, [&](const State& each) { return each.is_about(state); });
  if (same == states.end()) {
    states.push_back(std::move(state));
  } else {
    same->text += ' ' + state.text;
  }
}

/// `newer`: the later release of the two that are compared, by which conditions are told.
std::vector<State> states_in(Version version, Version newer) {
  std::vector<State> states;
  for (const Rule& rule : rules()) {
    if (!rule.versions.contains(version)) continue;
    Rule row = rule;
    if (version < row.unless.since) row.unless = {};
    add(states, {std::string(row.id), full_field(row),
                 std::string(to_string(row.action)) + ": " + forbidden_text(row, newer)});
  }
  for (const AdviceKind& advice : all_advice()) {
    if (!advice.versions.contains(version)) continue;
    add(states, {std::string(advice.id), "",
                 std::string(default_action(advice)) + ": " + std::string(advice.when)});
  }
  return states;
}

std::string title(Version from, Version to) {
  return "Kubernetes " + to_string(from) + " to " + to_string(to);
}

}  // namespace

std::vector<RuleChange> rule_changes(Version from, Version to) {
  const Version newer = std::max(from, to);
  const std::vector<State> before = states_in(from, newer), after = states_in(to, newer);
  const auto find_in = [](const std::vector<State>& states, const State& wanted) {
    const auto found =
        std::ranges::find_if(states, [&](const State& each) { return each.is_about(wanted); });
    return found == states.end() ? nullptr : &*found;
  };
  std::vector<RuleChange> changes;
  for (const State& old : before) {
    const State* const now = find_in(after, old);
    if (now == nullptr) {
      changes.push_back({"ended", old.id, old.field, old.text, ""});
    } else if (now->text != old.text) {
      changes.push_back({"changed", old.id, old.field, old.text, now->text});
    }
  }
  for (const State& now : after) {
    if (find_in(before, now) == nullptr) {
      changes.push_back({"added", now.id, now.field, "", now.text});
    }
  }
  std::ranges::stable_sort(changes, {}, &RuleChange::id);
  return changes;
}

std::string changes_as_table(Version from, Version to, std::size_t width) {
  const auto changes = rule_changes(from, to);
  std::string text = title(from, to) + ": " + std::to_string(changes.size()) +
                     (changes.size() == 1 ? " change\n" : " changes\n");
  for (const RuleChange& each : changes) {
    text += '\n' + each.what + "  " + each.id + "  " + each.field + '\n';
    if (!each.before.empty()) text += wrap("  - " + each.before, width, 4) + '\n';
    if (!each.after.empty()) text += wrap("  + " + each.after, width, 4) + '\n';
  }
  return text;
}

std::string changes_as_json(Version from, Version to) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const RuleChange& each : rule_changes(from, to)) {
    nlohmann::ordered_json row = {{"change", each.what}, {"id", each.id}};
    if (!each.field.empty()) row["field"] = each.field;
    if (!each.before.empty()) row["before"] = each.before;
    if (!each.after.empty()) row["after"] = each.after;
    list.push_back(std::move(row));
  }
  return list.dump(2) + '\n';
}

}  // namespace winadmit::cli
