#include "policy/judge/validate.hpp"

#include <cstdint>
#include <optional>

namespace winadmit {
namespace {

/// The release in which spec.os is on by default and the API server judges pods by it
/// (KEP-2802 Identify Windows pods at API admission level: alpha 1.23, beta 1.24, stable 1.25).
constexpr Version kPodOsVersion{1, 24};

std::string_view wanted(Shape shape) {
  switch (shape) {
    case Shape::any:
      return "any value";
    case Shape::boolean:
      return "a boolean";
    case Shape::integer:
      return "an integer";
    case Shape::string:
      return "a string";
    case Shape::list:
      return "a list";
    case Shape::object:
      return "an object";
  }
  return "";
}

bool has_shape(Json value, Shape shape) {
  switch (shape) {
    case Shape::any:
      return true;
    case Shape::boolean:
      return value.is_bool();
    case Shape::integer:
      return value.is_int64() || value.is_uint64();
    case Shape::string:
      return value.is_string();
    case Shape::list:
      return value.is_array();
    case Shape::object:
      return value.is_object();
  }
  return true;
}

std::string text_of(const Rule& rule, std::string_view verdict) {
  return std::string(verdict).append(rule.reason).append("; ").append(rule.instead);
}

/// One walk over one pod.
class Walk {
 public:
  Walk(const Pod& pod, const Settings& settings, const FieldTree& fields, const RuleTexts& texts,
       FindingSink& findings, Problems& problems, bool as_if_os_set)
      : settings_(settings),
        fields_(fields),
        texts_(texts),
        findings_(findings),
        problems_(problems),
        as_if_os_set_(as_if_os_set),
        judged_by_os_((as_if_os_set || pod.os_name == "windows") &&
                      settings.kubernetes >= kPodOsVersion),
        path_(pod.spec_path()),
        where_{pod, pod.spec} {}

  void visit_members(const FieldTree::Node& node, JsonObject object) {
    std::uint64_t seen = 0;
    // Not by pairs: the value is made only where it is wanted.
    for (auto each = object.begin(), end = object.end(); each != end; ++each) {
      const std::string_view key = each.key();
      const int at = node.members.find(key);
      if (at == NameTable::kNone) continue;
      const FieldTree::Node& child = fields_.at(node.children[static_cast<std::size_t>(at)]);
      const std::uint64_t bit = std::uint64_t{1}
                                << (static_cast<unsigned>(at) % FieldTree::kMostMembers);
      const bool is_second = (seen & bit) != 0;
      seen |= bit;
      if (child.ends_here && !is_second) continue;
      const Within here(path_, key);
      if (is_second) {
        problems_.add_duplicate(path_);
      } else {
        visit(child, each.value());
      }
    }
  }

  /// The annotations that rules read; outside of the spec: when the walk over it is over.
  void visit_annotations(std::span<const Rule* const> rules) {
    if (!where_.pod.annotations) return;
    path_ = where_.pod.metadata_path();
    path_.enter("annotations");
    HashSet seen;
    for (const auto [key, value] : *where_.pod.annotations) {
      bool is_second = false;
      bool is_read = false;
      for (const Rule* rule : rules) {
        if (is_second || !key_matches(rule->field, key)) continue;
        path_.enter_key(key);
        if (!is_read) is_second = !seen.insert(Hash().add(key).value());
        is_read = true;
        if (is_second) {
          problems_.add_duplicate(path_);
        } else if (!value.is_null()) {
          judge(*rule, value);
        }
        path_.leave();
      }
    }
  }

 private:
  void visit(const FieldTree::Node& node, Json value) {
    if (value.is_null()) return;  // as absent
    if (!has_shape_of(node, value)) return;
    for (const Rule* rule : node.rules) judge(*rule, value);
    if (node.items != FieldTree::kNothing) {
      visit_items(fields_.at(node.items), value.get_array().value_unsafe());
    } else if (!node.children.empty()) {
      visit_members(node, value.get_object().value_unsafe());
    }
  }

  /// Whether the value has the type that the rules here and below want; a wrong type is noted once.
  bool has_shape_of(const FieldTree::Node& node, Json value) {
    Shape shape = Shape::any;
    if (!node.rules.empty()) shape = node.rules.front()->forbids.shape;
    if (!node.children.empty()) shape = Shape::object;
    if (node.items != FieldTree::kNothing) shape = Shape::list;
    if (has_shape(value, shape)) return true;
    problems_.add_wrong_type(path_, wanted(shape), value);
    return false;
  }

  void visit_items(const FieldTree::Node& node, JsonArray list) {
    std::size_t index = 0;
    for (const Json entry : list) {
      const Within here(path_, index++, entry);
      if (node.is_container && entry.get(where_.container) != simdjson::SUCCESS) {
        where_.container = where_.pod.spec;
      }
      visit(node, entry);
    }
    if (node.is_container) where_.container = where_.pod.spec;
  }

  void judge(const Rule& rule, Json value) {
    if (!has_shape(value, rule.forbids.shape)) {
      problems_.add_wrong_type(path_, wanted(rule.forbids.shape), value);
      return;
    }
    const Action action = action_for(rule, value);
    if (action == Action::allow) return;
    if (rule.unless && rule.unless.applies(where_)) return;
    if (rule.forbids.forbids_key != nullptr) return report_entries(rule, action, value);
    // A rule about several fields of an object is not about all that is in it.
    report(rule, action, rule.field.empty() ? std::nullopt : std::optional(value));
  }

  void report(const Rule& rule, Action action, std::optional<Json> value) {
    findings_.add({.id = rule.id,
                   .action = action,
                   .path = path_,
                   .text = texts_.of(rule, action),
                   .value = value});
  }

  void report_entries(const Rule& rule, Action action, Json map) {
    HashSet seen;
    const JsonObject entries = map.get_object().value_unsafe();
    for (const auto [key, value] : entries) {
      if (!rule.forbids.forbids_key(key)) continue;
      path_.enter_key(key);
      if (seen.insert(Hash().add(key).value())) {
        report(rule, action, value);
      } else {
        problems_.add_duplicate(path_);
      }
      path_.leave();
    }
  }

  /// What a value earns by a rule.
  Action action_for(const Rule& rule, Json value) const {
    Action action = Action::allow;
    if (rule.forbids.matches(value, where_)) action = rule.action;
    if (judged_by_os_ && rule.forbids_with_spec_os &&
        rule.forbids_with_spec_os.matches(value, where_)) {
      action = Action::deny;
    }
    const Predicate& strict = rule.forbids_strict ? rule.forbids_strict : rule.forbids_with_spec_os;
    if (settings_.strict && strict && strict.matches(value, where_)) action = Action::deny;
    // What the API server would refuse, no configuration of ours lets pass.
    if (action == Action::allow || as_if_os_set_) return action;
    const auto configured = settings_.actions.find(rule.id);
    return configured == settings_.actions.end() ? action : configured->second;
  }

  const Settings& settings_;
  const FieldTree& fields_;
  const RuleTexts& texts_;
  FindingSink& findings_;
  Problems& problems_;
  bool as_if_os_set_;
  bool judged_by_os_;
  FieldPath path_;
  Context where_;
};

}  // namespace

bool key_matches(std::string_view pattern, std::string_view key) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == key;
  return key.size() >= pattern.size() - 1 && key.starts_with(pattern.substr(0, star)) &&
         key.ends_with(pattern.substr(star + 1));
}

RuleTexts::RuleTexts(std::span<const Rule> rules) : first_(rules.data()) {
  for (const Rule& rule : rules) {
    texts_.push_back({.denial = text_of(rule, "cannot be set for a windows pod: "),
                      .advice = text_of(rule, "should not be set for a windows pod: ")});
  }
}

std::string_view RuleTexts::of(const Rule& rule, Action action) const {
  const Texts& texts = texts_[static_cast<std::size_t>(&rule - first_)];
  return action == Action::deny ? texts.denial : texts.advice;
}

Validator::Validator(std::span<const Rule> rules, const Settings& settings)
    : settings_(settings), fields_(rules, settings.kubernetes), texts_(rules) {
  for (const Rule& rule : rules) {
    if (rule.scope == Scope::annotation && rule.versions.contains(settings.kubernetes)) {
      annotation_rules_.push_back(&rule);
    }
  }
}

void Validator::validate(const Pod& pod, FindingSink& findings, Problems& problems,
                         bool as_if_os_set) const {
  if (!pod.has_spec) return;
  Walk walk(pod, settings_, fields_, texts_, findings, problems, as_if_os_set);
  walk.visit_members(fields_.root(), pod.spec);
  walk.visit_annotations(annotation_rules_);
}

}  // namespace winadmit
