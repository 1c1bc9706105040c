#include "export/cel/field_condition.hpp"

#include <fmt/ranges.h>

#include <array>

#include "export/cel/cel_text.hpp"

namespace winadmit {
namespace {

/// The names that an expression gives the entries of nested lists, in the pod and in the old one.
struct Names {
  std::string_view now;
  std::string_view before;
};
constexpr std::array<Names, 3> kNames = {{{"c", "o"}, {"e", "p"}, {"i", "q"}}};

/// projected.sources may be null.
std::string list(const std::string& member) {
  if (member.ends_with(".?sources")) {
    return "optional.ofNonZeroValue(" + member + ".orValue([])).orValue([])";
  }
  return member + ".orValue([])";
}

}  // namespace

std::string_view is_same_entry(std::string_view list) {
  if (list == "volumeMounts") return "$before.?mountPath == $now.?mountPath";
  if (list == "items") return "$before.?path == $now.?path";
  if (list == "ports") {
    return "$before.?name == $now.?name &&\n"
           "  ($now.?name.hasValue() || $before.?containerPort == $now.?containerPort)";
  }
  return list == "sources" ? "" : "$before.?name == $now.?name";
}

std::string FieldCondition::write(const std::string& now, const std::string& before,
                                  std::span<const FieldStep> steps,
                                  const std::vector<Level>& levels) const {
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
    deeper.push_back({list(before_member), is_same_entry(name)});
    alternatives.push_back(fill(
        "$list.exists($name, $condition)",
        {{"$list", list(now_member)},
         {"$name", std::string(names.now)},
         {"$condition",
          write(std::string(names.now), std::string(names.before), steps.subspan(1), deeper)}}));
  }
  return joined_by(" || ", alternatives);
}

std::string FieldCondition::conditions(std::string_view pod) const {
  std::vector<std::string> all;
  if (rule_.only_if) all.emplace_back(rule_.only_if.cel.text());
  if (rule_.unless)
    all.push_back(fmt::format("!{}", grouped(std::string(rule_.unless.cel.text()))));
  return fill(fmt::format("{}", fmt::join(all, " && ")), {{"$pod", std::string(pod)}});
}

std::string FieldCondition::leaf(const std::string& now, const std::string& before,
                                 const std::vector<Level>& levels) const {
  const bool by_key = part_.any_of.front()->forbids_key != nullptr;
  std::string found = predicates(now, "variables.pod", kNames.front().now);
  if (judged_ != Judged::all) {
    found = fmt::format("{} &&\n    {}{}", grouped(found), judged_ == Judged::added ? "!" : "",
                        grouped(was_there(now, before, levels)));
  }
  if (!by_key) return found;
  return fmt::format("{}.orValue({{}}).exists(key, {})", now, found);
}

std::string FieldCondition::was_there(const std::string& now, const std::string& before,
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
      text =
          fill(std::string(level.identity) + " && $text", {{"$before", std::string(names.before)},
                                                           {"$now", std::string(names.now)},
                                                           {"$text", text}});
    }
    text = fmt::format("{}.exists({}, {})", level.list_before, names.before, text);
  }
  return text;
}

std::string FieldCondition::predicates(const std::string& value, std::string_view pod,
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

}  // namespace winadmit
