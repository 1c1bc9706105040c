#include "policy/cel/rule_findings.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "policy/cel/cel_text.hpp"
#include "policy/judge/validate.hpp"
#include "policy/rules/field_pattern.hpp"

namespace winadmit {
namespace {

/// What one finding of a row looks for: a value that one of `any_of` matches and `except` does not.
struct Part {
  Action action = Action::deny;
  std::vector<const Predicate*> any_of;
  const Predicate* except = nullptr;
};

bool matches_nothing(const Predicate& predicate) { return predicate.matches == value_is_none; }

std::vector<Part> parts_of(const Rule& rule, const Settings& settings) {
  const Predicate* strict = nullptr;
  if (settings.strict && rule.forbids_strict) {
    strict = &rule.forbids_strict;
  } else if (settings.strict && rule.forbids_with_spec_os) {
    strict = &rule.forbids_with_spec_os;
  }
  std::vector<Part> parts;
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

/// The names that an expression gives the entries of nested lists, in the pod and in the old one.
struct Names {
  std::string_view now;
  std::string_view before;
};
constexpr std::array<Names, 3> kNames = {{{"c", "o"}, {"e", "p"}, {"i", "q"}}};

/// The member by which an entry of a list is the same as before (k8s.io/api core/v1,
/// patchMergeKey); empty if there is none.
std::string_view identity_of(std::string_view list) {
  if (list == "volumeMounts") return "mountPath";
  if (list == "ports" || list == "volumes" || list == "containers") return "name";
  return "";
}

/// Writes the condition on a row's field: from the object that holds it down to the value.
class FieldCondition {
 public:
  FieldCondition(const Rule& rule, const Part& part, Judged judged)
      : rule_(rule), part_(part), judged_(judged) {}

  /// One level of lists that has been entered.
  struct Level {
    std::string list_before;  // the list in the old pod
    std::string_view identity;
  };

  /// For the steps of the field below the values `now` and `before`.
  std::string write(const std::string& now, const std::string& before,
                    std::span<const FieldStep> steps, const std::vector<Level>& levels) const {
    if (steps.empty()) return leaf(now, before, levels);
    const FieldStep& step = steps.front();
    std::vector<std::string> alternatives;
    for (const std::string_view name : step.names) {
      const std::string now_member = now + ".?" + std::string(name);
      const std::string before_member = before + ".?" + std::string(name);
      if (!step.is_list) {
        alternatives.push_back(write(now_member, before_member, steps.subspan(1), levels));
        continue;
      }
      const Names& names = kNames.at(levels.size());
      std::vector<Level> deeper = levels;
      deeper.push_back({list(before_member), identity_of(name)});
      alternatives.push_back(fill(
          "$list.exists($name, $condition)",
          {{"$list", list(now_member)},
           {"$name", std::string(names.now)},
           {"$condition",
            write(std::string(names.now), std::string(names.before), steps.subspan(1), deeper)}}));
    }
    return joined_by(" || ", alternatives);
  }

  /// The conditions of the row on a pod, or "".
  std::string conditions(std::string_view pod) const {
    std::vector<std::string> all;
    if (rule_.only_if) all.emplace_back(rule_.only_if.cel.text());
    if (rule_.unless)
      all.push_back(fmt::format("!{}", grouped(std::string(rule_.unless.cel.text()))));
    return fill(fmt::format("{}", fmt::join(all, " && ")), {{"$pod", std::string(pod)}});
  }

 private:
  /// projected.sources may be null.
  static std::string list(const std::string& member) {
    if (member.ends_with(".?sources")) {
      return "optional.ofNonZeroValue(" + member + ".orValue([])).orValue([])";
    }
    return member + ".orValue([])";
  }

  std::string leaf(const std::string& now, const std::string& before,
                   const std::vector<Level>& levels) const {
    const bool by_key = part_.any_of.front()->forbids_key != nullptr;
    std::string found = predicates(now, "variables.pod", kNames.front().now);
    if (judged_ != Judged::all) {
      found = fmt::format("{} &&\n    {}{}", grouped(found), judged_ == Judged::fresh ? "!" : "",
                          grouped(was_there(now, before, levels)));
    }
    if (!by_key) return found;
    return fmt::format("{}.orValue({{}}).exists(key, {})", now, found);
  }

  /// Whether the same value was forbidden in the old pod.
  std::string was_there(const std::string& now, const std::string& before,
                        std::vector<Level> levels) const {
    const std::string before_text = predicates(before, "variables.old", kNames.front().before);
    const bool reads_pod = before_text.find("variables.old") != before_text.npos;
    std::vector<std::string> all;
    if (const auto condition = conditions("variables.old"); !condition.empty()) {
      all.push_back(condition);
    }
    const bool relates = rule_.field.empty() || part_.any_of.front()->relates;
    if (relates || reads_pod) all.push_back(grouped(before_text));
    if (part_.any_of.front()->forbids_key != nullptr) {
      all.push_back(before + "[?key] == " + now + "[?key]");
    } else if (!relates) {
      all.push_back(before + " == " + now);
    }
    std::string text = fmt::format("{}", fmt::join(all, " && "));
    while (!levels.empty()) {
      const Level level = levels.back();
      levels.pop_back();
      const Names& names = kNames.at(levels.size());
      if (!level.identity.empty()) {
        text = fill("$before.?$identity == $now.?$identity && $text",
                    {{"$before", std::string(names.before)},
                     {"$now", std::string(names.now)},
                     {"$identity", std::string(level.identity)},
                     {"$text", text}});
      }
      text = fmt::format("{}.exists({}, {})", level.list_before, names.before, text);
    }
    return text;
  }

  std::string predicates(const std::string& value, std::string_view pod,
                         std::string_view container) const {
    const auto text_of = [&](const Predicate& predicate) {
      return fill(predicate.cel.text(), {{"$value", value},
                                         {"$key", "key"},
                                         {"$pod", std::string(pod)},
                                         {"$container", std::string(container)}});
    };
    std::vector<std::string> any;
    any.reserve(part_.any_of.size());
    for (const Predicate* each : part_.any_of) any.push_back(text_of(*each));
    std::string text = joined_by(" || ", any);
    if (part_.except != nullptr)
      text = fmt::format("{} && !{}", grouped(text), grouped(text_of(*part_.except)));
    return text;
  }

  const Rule& rule_;
  const Part& part_;
  Judged judged_;
};

std::string_view list_of(Scope scope) {
  switch (scope) {
    case Scope::each_container:
      return "containers";
    case Scope::each_main:
      return "mainContainers";
    case Scope::each_ephemeral:
      return "ephemeralContainers";
    case Scope::pod:
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
        and_conditions(writer, writer.write("c", "o", steps, {{"variables.old." + list, "name"}}))},
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
        and_conditions(writer,
                       writer.write("c", "o", steps.subspan(1),
                                    {{"variables.old.spec.?" + name + ".orValue([])", "name"}}))},
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

std::string places(const Rule& rule, const Part& part, Judged judged) {
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

bool has_one_place(const Rule& rule) {
  if (rule.scope == Scope::annotation) return rule.field.find('*') == rule.field.npos;
  const auto steps = parse_field_pattern(rule.field);
  return rule.scope == Scope::pod && (steps->empty() || !steps->front().is_list);
}

/// Of the predicates and conditions that a row has.
std::vector<Cel> cels_of(const Rule& rule) {
  std::vector<Cel> all;
  for (const Predicate& each : {rule.forbids, rule.forbids_strict, rule.forbids_with_spec_os})
    if (each) all.push_back(each.cel);
  for (const Condition& each : {rule.only_if, rule.unless})
    if (each) all.push_back(each.cel);
  return all;
}

}  // namespace

std::vector<CelFinding> rule_findings(const Rule& rule, const Settings& settings, Judged judged) {
  std::vector<CelFinding> findings;
  if (!rule.versions.contains(settings.kubernetes)) return findings;
  if (!std::ranges::all_of(cels_of(rule), &Cel::can_say)) return findings;
  const auto configured = settings.actions.find(rule.id);
  for (const Part& part : parts_of(rule, settings)) {
    Action action = configured == settings.actions.end() ? part.action : configured->second;
    if (action == Action::allow) continue;
    if (action == Action::strip) action = Action::warn;
    const bool is_final = rule.scope == Scope::each_ephemeral;  // the pod exists
    const std::string_view with_spec_os = rule.instead_with_spec_os;
    CelFinding finding{
        .id = rule.id,
        .action = action,
        .places = places(rule, part, judged),
        .text =
            text_of(rule, action, is_final && !with_spec_os.empty() ? with_spec_os : rule.instead),
        .text_with_spec_os =
            with_spec_os.empty() || is_final ? "" : text_of(rule, action, with_spec_os),
        .pattern = pattern_of(rule),
        .has_one_place = has_one_place(rule)};
    findings.push_back(std::move(finding));
  }
  return findings;
}

std::vector<std::string> cel_differences(const Rule& rule) {
  std::vector<std::string> all;
  for (const Cel& cel : cels_of(rule)) {
    if (!cel.but().empty()) all.emplace_back(cel.but());
  }
  return all;
}

}  // namespace winadmit
