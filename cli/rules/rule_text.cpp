#include "cli/rules/rule_text.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

#include "cli/judge/check_advice.hpp"
#include "cli/terminal/wrap.hpp"
#include "policy/pod/pod.hpp"
#include "policy/rules/field_pattern.hpp"

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

std::vector<const AdviceKind*> selected_advice(std::optional<Version> version) {
  std::vector<const AdviceKind*> kinds;
  for (const AdviceKind& kind : all_advice()) {
    if (!version || kind.versions.contains(*version)) kinds.push_back(&kind);
  }
  return kinds;
}

/// "`malformed-field`, `unknown-field` and `unused-ignore`": each id in code.
std::string ids_of_check_advice() {
  std::vector<std::string> ids;
  for (const AdviceKind& kind : check_advice()) ids.push_back(fmt::format("`{}`", kind.id));
  return fmt::format("{} and {}", fmt::join(ids.begin(), ids.end() - 1, ", "), ids.back());
}

/// The values that a predicate describes: "true" for "is true", "any value" for "is present".
std::string value_text(std::string_view description) {
  if (description == "is present") return "any value";
  const bool is_noun = description.starts_with("is ") && !description.starts_with("is not ");
  return (is_noun ? "" : "a value that ") + std::string(description.substr(is_noun ? 3 : 0));
}

}  // namespace

std::string markdown_cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string_view default_action(const AdviceKind& advice) {
  return advice.action == Action::allow ? "off" : to_string(advice.action);
}

bool needs_spec_os_or_strict(const Rule& rule) { return rule.forbids.matches == never.matches; }

std::string full_field(const Rule& rule) {
  const std::string field(rule.field);
  if (rule.scope == Scope::annotation) return "metadata.annotations[" + field + ']';
  const std::string below = field.empty() ? "" : '.' + field;
  const auto lists = container_lists_of(rule.scope);
  std::string containers(kContainers);
  if (lists.size() == 1)
    containers = lists.front();
  else if (lists.size() < kContainerLists.size())
    containers = fmt::format("{{{}}}", fmt::join(lists, ","));
  std::vector<std::string> fields;
  if (includes_pod(rule.scope)) fields.push_back("spec" + below);
  if (!lists.empty()) fields.push_back("spec." + containers + "[*]" + below);
  return fmt::format("{}", fmt::join(fields, ", "));
}

std::string forbidden_text(const Rule& rule, std::optional<Version> release) {
  const bool has_spec_os = release.value_or(rule.versions.last) >= kPodOsVersion;
  const bool needs_either = needs_spec_os_or_strict(rule);
  std::string text;
  const auto add = [&](std::string_view lead, std::string_view rest) {
    if (!text.empty()) text += ' ';
    text.append(lead).append(rest) += '.';
  };
  const auto add_denial = [&](std::string_view when, const Predicate& denied) {
    // No need to repeat what is always denied.
    if (!denied || (denied.description == rule.forbids.description && rule.action == Action::deny))
      return;
    const std::string_view lead = needs_either                  ? "Only with"
                                  : rule.action == Action::deny ? "With"
                                                                : "Denied with";
    add(fmt::format("{} {}: ", lead, when), value_text(denied.description));
  };
  if (!needs_either) add("", value_text(rule.forbids.description));
  if (has_spec_os) {
    add_denial(rule.forbids_strict ? "spec.os" : "spec.os or strict", rule.forbids_with_spec_os);
  } else if (!rule.forbids_strict) {
    add_denial("strict", rule.forbids_with_spec_os);
  }
  add_denial("strict", rule.forbids_strict);
  // Last, as they hold for all of it.
  const auto add_condition = [&](std::string_view lead, const Condition& each) {
    if (!each || release.value_or(rule.versions.last) < each.since) return;
    add(lead, has_spec_os ? each.description : each.description_without_spec_os);
  };
  add_condition("Only if ", rule.only_if);
  add_condition("Exception: ", rule.unless);
  return text;
}

namespace {

struct TableRow {
  std::string id, action, versions, field, text;
};

std::vector<TableRow> table_rows(std::optional<Version> version) {
  std::vector<TableRow> rows = {{"ID", "ACTION", "VERSIONS", "FIELD", "FORBIDDEN"}};
  for (const Rule* rule : selected(version)) {
    rows.push_back({std::string(rule->id), std::string(to_string(rule->action)),
                    to_string(rule->versions), full_field(*rule), forbidden_text(*rule, version)});
  }
  for (const AdviceKind* advice : selected_advice(version)) {
    rows.push_back({std::string(advice->id), std::string(default_action(*advice)),
                    to_string(advice->versions), "", std::string(advice->when)});
  }
  return rows;
}

}  // namespace

std::string rules_as_table(std::optional<Version> version, std::size_t width) {
  constexpr std::size_t kActionWidth = 6, kVersionsWidth = 9, kMinText = 30;
  const auto rows = table_rows(version);
  std::size_t id_width = 2;
  std::size_t field_width = 5;
  for (const TableRow& row : rows) {
    id_width = std::max(id_width, row.id.size());
    field_width = std::max(field_width, row.field.size());
  }
  const std::size_t before = id_width + kActionWidth + kVersionsWidth + field_width + 8;
  const bool is_narrow = width != 0 && width < before + kMinText;
  std::string table;
  for (const TableRow& row : rows) {
    std::string line = padded(row.id, id_width) + padded(row.action, kActionWidth);
    if (is_narrow) {
      table += line + row.versions + '\n';
      if (!row.field.empty()) table += wrap("    " + row.field, width, 4) + '\n';
      table += wrap("    " + row.text, width, 4) + '\n';
      continue;
    }
    line += padded(row.versions, kVersionsWidth) + padded(row.field, field_width) + row.text;
    table += wrap(line, width, before) + '\n';
  }
  return table;
}

std::string rules_as_json(std::optional<Version> version) {
  ordered_json list = ordered_json::array();
  for (const Rule* rule : selected(version)) {
    ordered_json row = {{"id", rule->id},
                        {"field", full_field(*rule)},
                        {"action", to_string(rule->action)},
                        {"versions", to_string(rule->versions)}};
    if (!rule->forbids.description.empty()) row["forbids"] = rule->forbids.description;
    const bool has_spec_os = rule->versions.last >= kPodOsVersion;
    if (rule->forbids_with_spec_os && (has_spec_os || !rule->forbids_strict)) {
      row[has_spec_os ? "forbidsWithSpecOs" : "forbidsStrict"] =
          rule->forbids_with_spec_os.description;
    }
    if (rule->forbids_strict) row["forbidsStrict"] = rule->forbids_strict.description;
    if (rule->only_if) row["onlyIf"] = rule->only_if.description;
    if (rule->unless && version.value_or(rule->versions.last) >= rule->unless.since)
      row["unless"] = rule->unless.description;
    row["reason"] = rule->reason;
    row["instead"] = rule->instead;
    row["source"] = rule->source;
    list.push_back(std::move(row));
  }
  for (const AdviceKind* advice : selected_advice(version)) {
    list.push_back({{"id", advice->id},
                    {"action", default_action(*advice)},
                    {"versions", to_string(advice->versions)},
                    {"when", advice->when},
                    {"instead", advice->instead},
                    {"source", advice->source}});
  }
  return list.dump(2) + '\n';
}

std::string rules_as_markdown(std::optional<Version> version) {
  std::string text =
      "# The rules" + (version ? " of Kubernetes " + to_string(*version) : std::string()) +
      "\n\n"
      "Generated by `winadmit rules -o markdown` from the table in `policy/rules/`. Do not edit: a "
      "test compares.\n"
      "`" +
      std::string(kContainers) + "` is " + std::string(kContainersText) +
      ". \"With spec.os\" means: where\n"
      "`spec.os.name` is windows, from Kubernetes 1.24. Before that, no condition reads it.\n\n"
      "| id | field | forbidden | action | Kubernetes | why, and what to do instead |\n"
      "| --- | --- | --- | --- | --- | --- |\n";
  for (const Rule* rule : selected(version)) {
    text += "| `" + std::string(rule->id) + "` | `" + markdown_cell(full_field(*rule)) + "` | " +
            markdown_cell(forbidden_text(*rule, version)) + " | " +
            std::string(to_string(rule->action)) + " | " + to_string(rule->versions) + " | " +
            markdown_cell(rule->reason) + "; " + markdown_cell(rule->instead) + " ([source](" +
            std::string(rule->source) + ")) |\n";
  }
  text +=
      "\n## Advice\n\n"
      "Advice concerns more than one field, or the request itself. `rules` in the configuration "
      "changes its action\n"
      "as that of a rule, except of " +
      ids_of_check_advice() +
      ".\nAdvice that is off is given only if `rules` sets it to warn or deny.\n\n"
      "| id | when | action | Kubernetes | what to do | source |\n"
      "| --- | --- | --- | --- | --- | --- |\n";
  for (const AdviceKind* advice : selected_advice(version)) {
    text += "| `" + std::string(advice->id) + "` | " + markdown_cell(advice->when) + " | " +
            std::string(default_action(*advice)) + " | " + to_string(advice->versions) + " | " +
            markdown_cell(advice->instead) + " | " + markdown_cell(advice->source) + " |\n";
  }
  return text;
}

}  // namespace winadmit::cli
