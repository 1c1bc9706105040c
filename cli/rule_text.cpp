#include "cli/rule_text.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

#include "policy/judge/advice.hpp"

namespace winadmit::cli {
namespace {

using nlohmann::ordered_json;

std::vector<const Rule*> selected(std::optional<Version> version) {
  std::vector<const Rule*> rows;
  for (const Rule& rule : rules()) {
    if (!version || rule.versions.contains(*version)) rows.push_back(&rule);
  }
  return rows;
}

std::string padded(std::string_view text, std::size_t width) {
  std::string cell(text);
  if (cell.size() < width) cell.append(width - cell.size(), ' ');
  return cell + "  ";
}

/// In a cell of a Markdown table.
std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

}  // namespace

std::string full_field(const Rule& rule) {
  const std::string field(rule.field);
  const std::string rest = field.empty() ? "" : '.' + field;
  switch (rule.scope) {
    case Scope::pod:
      return "spec" + rest;
    case Scope::each_container:
      return "spec.{C}[*]" + rest;
    case Scope::each_main:
      return "spec.{containers,initContainers}[*]" + rest;
    case Scope::each_ephemeral:
      return "spec.ephemeralContainers[*]" + rest;
    case Scope::annotation:
      return "metadata.annotations[" + field + ']';
  }
  return field;
}

std::string_view to_string(Action action) {
  switch (action) {
    case Action::allow:
      return "allow";
    case Action::warn:
      return "warn";
    case Action::deny:
      return "deny";
    case Action::strip:
      return "strip";
  }
  return "";
}

std::string condition(const Rule& rule) {
  std::string text(rule.forbids.says);
  const auto add = [&](std::string_view part) {
    if (!text.empty()) text.append("; ");
    text.append(part);
  };
  const auto add_denial = [&](std::string_view when, const Predicate& denied) {
    // What is denied anyway need not be said again.
    if (!denied || (denied.says == rule.forbids.says && rule.action == Action::deny)) return;
    add("denied " + std::string(when) + " if it " + std::string(denied.says));
  };
  add_denial(rule.forbids_strict ? "with spec.os" : "with spec.os or when strict",
             rule.forbids_with_spec_os);
  add_denial("when strict", rule.forbids_strict);
  if (rule.unless) add("unless " + std::string(rule.unless.says));
  return text;
}

std::string rules_as_table(std::optional<Version> version) {
  const auto rows = selected(version);
  std::size_t id_width = 2;
  std::size_t field_width = 5;
  for (const Rule* rule : rows) {
    id_width = std::max(id_width, rule->id.size());
    field_width = std::max(field_width, full_field(*rule).size());
  }
  std::string table = padded("ID", id_width) + padded("ACTION", 6) + padded("VERSIONS", 9) +
                      padded("FIELD", field_width) + "FORBIDDEN WHEN IT\n";
  for (const Rule* rule : rows) {
    table += padded(rule->id, id_width) + padded(to_string(rule->action), 6) +
             padded(winadmit::to_string(rule->versions), 9) +
             padded(full_field(*rule), field_width) + condition(*rule) + '\n';
  }
  for (const Advice& advice : advices()) {
    table += padded(advice.id, id_width) + padded(advice.id == kOsConflict ? "deny" : "warn", 6) +
             padded("", 9) + padded("", field_width) + std::string(advice.when) + '\n';
  }
  return table;
}

std::string rules_as_json(std::optional<Version> version) {
  ordered_json list = ordered_json::array();
  for (const Rule* rule : selected(version)) {
    ordered_json row = {{"id", rule->id},
                        {"field", full_field(*rule)},
                        {"action", to_string(rule->action)},
                        {"versions", winadmit::to_string(rule->versions)}};
    if (!rule->forbids.says.empty()) row["forbids"] = rule->forbids.says;
    if (rule->forbids_with_spec_os) row["forbidsWithSpecOs"] = rule->forbids_with_spec_os.says;
    if (rule->forbids_strict) row["forbidsStrict"] = rule->forbids_strict.says;
    if (rule->unless) row["unless"] = rule->unless.says;
    row["reason"] = rule->reason;
    row["instead"] = rule->instead;
    row["source"] = rule->source;
    list.push_back(std::move(row));
  }
  for (const Advice& advice : advices()) {
    list.push_back({{"id", advice.id},
                    {"action", advice.id == kOsConflict ? "deny" : "warn"},
                    {"when", advice.when},
                    {"instead", advice.text},
                    {"source", advice.source}});
  }
  return list.dump(2) + '\n';
}

std::string rules_as_markdown() {
  std::string text =
      "# The rules\n\n"
      "Printed by `winadmit rules -o markdown` from the table in `policy/rules*`; a test "
      "compares.\n"
      "`{C}` is containers, initContainers and ephemeralContainers. \"With spec.os\" means: where\n"
      "`spec.os.name` is windows, from Kubernetes 1.24.\n\n"
      "| id | field | forbidden when it | action | Kubernetes | why, and what to do instead |\n"
      "| --- | --- | --- | --- | --- | --- |\n";
  for (const Rule& rule : rules()) {
    text += "| `" + std::string(rule.id) + "` | `" + cell(full_field(rule)) + "` | " +
            cell(condition(rule)) + " | " + std::string(to_string(rule.action)) + " | " +
            winadmit::to_string(rule.versions) + " | " + cell(rule.reason) + "; " +
            cell(rule.instead) + " ([source](" + std::string(rule.source) + ")) |\n";
  }
  text +=
      "\n## Advice\n\n"
      "What no single field tells. Advice warns unless configuration denies; a conflict is "
      "denied.\n\n"
      "| id | when | what to do | source |\n"
      "| --- | --- | --- | --- |\n";
  for (const Advice& advice : advices()) {
    text += "| `" + std::string(advice.id) + "` | " + cell(advice.when) + " | " +
            cell(advice.text) + " | " + cell(advice.source) + " |\n";
  }
  return text;
}

}  // namespace winadmit::cli
