#include "export/cel/rule_findings.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>

#include "export/cel/cel_text.hpp"
#include "export/cel/field_condition.hpp"
#include "policy/judge/validate.hpp"
#include "policy/rules/field_pattern.hpp"

namespace winadmit {
namespace {

bool matches_nothing(const Predicate& predicate) { return predicate.matches == never_matches; }

/// `forbids_with_spec_os` counts under strict only: with spec.os.name, the API server refuses the
/// field itself.
std::vector<RulePart> parts_of(const Rule& rule, const Settings& settings) {
  const bool counts_strict = settings.strict && rule.strict_predicate();
  const Predicate* const strict = counts_strict ? &rule.strict_predicate() : nullptr;
  std::vector<RulePart> parts;
  if (strict != nullptr) parts.push_back({Action::deny, {strict}});
  if (!matches_nothing(rule.forbids)) {
    if (strict != nullptr && rule.action == Action::deny) {
      if (strict->matches != rule.forbids.matches) parts.front().any_of.push_back(&rule.forbids);
    } else if (strict == nullptr || strict->matches != rule.forbids.matches) {
      parts.push_back({rule.action, {&rule.forbids}, strict});
    }
  }
  return parts;
}

std::string_view list_of(Scope scope) {
  switch (scope) {
    case Scope::each_container:
      return "containers";
    case Scope::each_non_ephemeral:
      return "nonEphemeralContainers";
    case Scope::each_ephemeral:
      return "ephemeralContainers";
    case Scope::pod:
    case Scope::pod_and_containers:
    case Scope::annotation:
      break;
  }
  return "";
}

std::string and_conditions(const FieldCondition& writer, const std::string& text) {
  const std::string conditions = writer.conditions("variables.pod");
  return conditions.empty() ? text : fmt::format("{} && {}", conditions, grouped(text));
}

/// The place as a pattern.
std::string pattern_of(const Rule& rule) {
  if (rule.scope == Scope::pod && rule.field.empty()) return "spec";
  if (rule.scope == Scope::pod) return "spec." + std::string(rule.field);
  if (rule.scope == Scope::annotation) {
    return "metadata.annotations[" + std::string(rule.field) + ']';
  }
  return std::string(rule.field) + " of a container";
}

std::string places_in_containers(const Rule& rule, const FieldCondition& writer,
                                 std::span<const FieldStep> steps) {
  const std::string list(list_of(rule.scope));
  return fill(
      "variables.pod.$list.filter(c, $condition)\n  .map(c, $place + c.name)",
      {{"$list", list},
       {"$condition",
        and_conditions(writer, writer.write("c", "o", steps,
                                            {{"variables.old." + list, is_same_entry(list)}}))},
       {"$place", cel_string(std::string(rule.field) + " of container ")}});
}

/// For a field below the entries of a list of the pod spec: its places name the entries.
std::string places_in_entries(const FieldCondition& writer, std::span<const FieldStep> steps) {
  const FieldStep& list = steps.front();
  std::string below;
  for (const FieldStep& step : steps.subspan(1)) {
    if (step.names.size() > 1) break;  // the name of the entry says enough
    below += '.' + std::string(step.names.front()) + (step.is_list ? "[*]" : "");
  }
  const std::string name(list.names.front());
  return fill(
      "variables.pod.spec.?$list.orValue([]).filter(c, $condition)\n"
      "  .map(c, $before + c.name + $after)",
      {{"$list", name},
       {"$condition",
        and_conditions(writer, writer.write("c", "o", steps.subspan(1),
                                            {{"variables.old.spec.?" + name + ".orValue([])",
                                              is_same_entry(name)}}))},
       {"$before", cel_string("spec." + name + '[')},
       {"$after", cel_string(']' + below)}});
}

std::string places_in_pod(const Rule& rule, const FieldCondition& writer,
                          std::span<const FieldStep> steps) {
  if (!steps.empty() && steps.front().is_list) return places_in_entries(writer, steps);
  return fill(
      "$condition ? [$place] : []",
      {{"$condition", and_conditions(writer, writer.write("variables.pod.spec",
                                                          "variables.old.spec", steps, {}))},
       {"$place", cel_string(pattern_of(rule))}});
}

/// `field` is a key with at most one `*`.
std::string places_in_annotations(const Rule& rule, const FieldCondition& writer) {
  const std::size_t star = rule.field.find('*');
  const auto judged = [&](const std::string& key) {
    return and_conditions(writer, writer.write("variables.pod.annotations[?" + key + ']',
                                               "variables.old.annotations[?" + key + ']', {}, {}));
  };
  if (star == rule.field.npos) {
    return fill("$condition ? [$place] : []", {{"$condition", judged(cel_string(rule.field))},
                                               {"$place", cel_string(pattern_of(rule))}});
  }
  std::vector<std::string> all;
  const std::string_view before = rule.field.substr(0, star);
  const std::string_view after = rule.field.substr(star + 1);
  if (!before.empty()) all.push_back("c.startsWith(" + cel_string(before) + ')');
  if (!after.empty()) all.push_back("c.endsWith(" + cel_string(after) + ')');
  all.push_back(grouped(judged("c")));
  return fill(
      "variables.pod.annotations.filter(c, $condition)\n"
      "  .map(c, 'metadata.annotations[' + c + ']')",
      {{"$condition", fmt::format("{}", fmt::join(all, " && "))}});
}

std::string places(const Rule& rule, const RulePart& part, Judged judged) {
  const FieldCondition writer(rule, part, judged);
  if (rule.scope == Scope::annotation) return places_in_annotations(rule, writer);
  const auto steps = parse_field_pattern(rule.field);
  if (rule.scope == Scope::pod) return places_in_pod(rule, writer, *steps);
  return places_in_containers(rule, writer, *steps);
}

std::string text_of(const Rule& rule, Action action, std::string_view instead) {
  const std::string_view lead = lead_of(rule, action);
  return fmt::format(": {}{}{}; {} ({})", lead, lead.empty() ? "" : ": ", rule.reason, instead,
                     rule.id);
}

/// The pod of an ephemeral container exists, and its spec.os cannot be set any more.
std::string_view instead_in_ephemeral(const Rule& rule) {
  if (rule.scope == Scope::pod || rule.scope == Scope::annotation) return {};
  return rule.instead_in_ephemeral.empty() ? rule.instead_with_spec_os : rule.instead_in_ephemeral;
}

bool has_one_place(const Rule& rule) {
  if (rule.scope == Scope::annotation) return rule.field.find('*') == rule.field.npos;
  const auto steps = parse_field_pattern(rule.field);
  return rule.scope == Scope::pod && (steps->empty() || !steps->front().is_list);
}

/// Of the predicates and conditions that a row has.
std::vector<Cel> cels_of(const Rule& rule) {
  std::vector<Cel> all;
  for (const Predicate& each : rule.predicates())
    if (each) all.push_back(each.cel);
  for (const Condition& each : {rule.only_if, rule.unless})
    if (each) all.push_back(each.cel);
  return all;
}

}  // namespace

std::vector<CelFinding> rule_findings(const Rule& rule, const Settings& settings, Judged judged) {
  std::vector<CelFinding> findings;
  if (rule.scope == Scope::pod_and_containers) {
    for (const Scope scope : {Scope::pod, Scope::each_container}) {
      Rule row = rule;
      row.scope = scope;
      std::ranges::move(rule_findings(row, settings, judged), std::back_inserter(findings));
    }
    return findings;
  }
  if (!rule.versions.contains(settings.kubernetes)) return findings;
  if (!std::ranges::all_of(cels_of(rule), &Cel::is_expressible)) return findings;
  for (const RulePart& part : parts_of(rule, settings)) {
    Action action = settings.action_of(rule.id, part.action);
    if (action == Action::allow) continue;
    if (action == Action::strip) action = Action::warn;
    const std::string_view with_spec_os = rule.instead_with_spec_os;
    const std::string_view in_ephemeral = instead_in_ephemeral(rule);
    CelFinding finding{
        .id = rule.id,
        .action = action,
        .places = places(rule, part, judged),
        .text = text_of(rule, action, rule.instead),
        .text_with_spec_os = with_spec_os.empty() ? "" : text_of(rule, action, with_spec_os),
        .text_in_ephemeral = in_ephemeral.empty() ? "" : text_of(rule, action, in_ephemeral),
        .pattern = pattern_of(rule),
        .has_one_place = has_one_place(rule)};
    findings.push_back(std::move(finding));
  }
  return findings;
}

std::vector<std::string> cel_differences(const Rule& rule) {
  std::vector<std::string> all;
  for (const Cel& cel : cels_of(rule)) {
    if (!cel.difference().empty()) all.emplace_back(cel.difference());
  }
  return all;
}

}  // namespace winadmit
