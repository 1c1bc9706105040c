#include "policy/validate.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "policy/append.hpp"

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
  std::string text;
  append(text, verdict, rule.reason, "; ", rule.instead);
  return text;
}

/// One walk over one pod.
class Walk {
 public:
  Walk(const Pod& pod, const Settings& settings, const FieldTree& fields, const RuleTexts& texts,
       bool as_if_os_set)
      : settings_(settings),
        fields_(fields),
        texts_(texts),
        as_if_os_set_(as_if_os_set),
        judged_by_os_((as_if_os_set || pod.os_name == "windows") &&
                      settings.kubernetes >= kPodOsVersion),
        path_(pod.spec_path()),
        where_{pod.spec, pod.spec, pod.windows_options.any_set} {}

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
      if (is_second) add_duplicate_key(result.problems, path_);
      visit(child, each.value());
    }
  }

  /// Outside of the spec: when the walk is over.
  void judge_annotation(const Rule& rule, const FieldPath& path, Json value) {
    path_ = path;
    judge(rule, value);
  }

  Validator::Result result;

 private:
  void visit(const FieldTree::Node& node, Json value) {
    if (value.is_null()) return;  // as absent
    for (const Rule* rule : node.rules) judge(*rule, value);
    if (node.items != FieldTree::kNothing) {
      visit_items(fields_.at(node.items), value);
    } else if (!node.children.empty()) {
      JsonObject object;
      if (value.get(object) == simdjson::SUCCESS) {
        visit_members(node, object);
      } else {
        add_wrong_type(result.problems, path_, "an object", value);
      }
    }
  }

  void visit_items(const FieldTree::Node& node, Json value) {
    JsonArray list;
    if (value.get(list) != simdjson::SUCCESS) {
      add_wrong_type(result.problems, path_, "a list", value);
      return;
    }
    std::size_t index = 0;
    for (const Json entry : list) {
      const Within here(path_, index++, entry);
      if (node.is_container && entry.get(where_.container) != simdjson::SUCCESS) {
        where_.container = where_.spec;
      }
      visit(node, entry);
    }
    if (node.is_container) where_.container = where_.spec;
  }

  void judge(const Rule& rule, Json value) {
    if (!has_shape(value, rule.forbids.shape)) {
      add_wrong_type(result.problems, path_, wanted(rule.forbids.shape), value);
      return;
    }
    const Action action = action_for(rule, value);
    if (action == Action::allow) return;
    if (rule.unless && rule.unless.applies(where_)) return;
    if (result.findings.empty()) result.findings.reserve(8);  // who asks for one asks for several
    Finding& found = result.findings.emplace_back();
    found.id = rule.id;
    found.action = action;
    found.field = Text(path_.text(), path_.is_plain());
    found.path = path_;
    found.text = texts_.of(rule, action);
    found.value = value;
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
  bool as_if_os_set_;
  bool judged_by_os_;
  FieldPath path_;
  Context where_;
};

bool same_fields(const FieldTree& fields, const FieldTree::Node& node, Json a, Json b);

/// Whether two objects agree in the members that lead to rules.
bool same_members(const FieldTree& fields, const FieldTree::Node& node, JsonObject a,
                  JsonObject b) {
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const std::string_view key = node.members.names()[i];
    Json left;
    Json right;
    const bool in_left = a.at_key(key).get(left) == simdjson::SUCCESS && !left.is_null();
    const bool in_right = b.at_key(key).get(right) == simdjson::SUCCESS && !right.is_null();
    if (in_left != in_right) return false;
    if (in_left && !same_fields(fields, fields.at(node.children[i]), left, right)) return false;
  }
  return true;
}

bool same_entries(const FieldTree& fields, const FieldTree::Node& items, JsonArray a, JsonArray b) {
  auto left = a.begin();
  auto right = b.begin();
  for (; left != a.end() && right != b.end(); ++left, ++right) {
    if (!same_fields(fields, items, *left, *right)) return false;
  }
  return !(left != a.end()) && !(right != b.end());
}

bool same_fields(const FieldTree& fields, const FieldTree::Node& node, Json a, Json b) {
  if (node.items != FieldTree::kNothing && a.is_array() && b.is_array()) {
    return same_entries(fields, fields.at(node.items), a.get_array().value_unsafe(),
                        b.get_array().value_unsafe());
  }
  if (!node.children.empty() && a.is_object() && b.is_object()) {
    return same_members(fields, node, a.get_object().value_unsafe(), b.get_object().value_unsafe());
  }
  return same_json(a, b);
}

template <class Visit>
void each_annotation(const Pod& pod, Visit visit) {
  if (!pod.metadata) return;
  const auto annotations = member<JsonObject>(*pod.metadata, "annotations");
  if (!annotations) return;
  for (const auto [key, value] : *annotations) visit(key, value);
}

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

Text RuleTexts::of(const Rule& rule, Action action) const {
  const Texts& texts = texts_[static_cast<std::size_t>(&rule - first_)];
  return (action == Action::deny ? texts.denial : texts.advice).borrowed();
}

Validator::Validator(std::span<const Rule> rules, const Settings& settings)
    : settings_(settings), fields_(rules, settings.kubernetes), texts_(rules) {
  for (const Rule& rule : rules) {
    if (rule.scope == Scope::annotation && rule.versions.contains(settings.kubernetes)) {
      annotation_rules_.push_back(&rule);
    }
  }
}

Validator::Result Validator::validate(const Pod& pod, bool as_if_os_set) const {
  if (!pod.has_spec) return {};
  Walk walk(pod, settings_, fields_, texts_, as_if_os_set);
  walk.visit_members(fields_.root(), pod.spec);
  each_annotation(pod, [&](std::string_view key, Json value) {
    for (const Rule* rule : annotation_rules_) {
      if (!key_matches(rule->field, key)) continue;
      FieldPath path = pod.metadata_path();
      path.enter("annotations");
      path.enter_key(key);
      walk.judge_annotation(*rule, path, value);
    }
  });
  return std::move(walk.result);
}

/// The annotations that rules read, as a list of key and value in the order of the keys.
std::vector<std::pair<std::string_view, Json>> Validator::read_annotations(const Pod& pod) const {
  std::vector<std::pair<std::string_view, Json>> read;
  each_annotation(pod, [&](std::string_view key, Json value) {
    const bool is_read = std::ranges::any_of(
        annotation_rules_, [&](const Rule* rule) { return key_matches(rule->field, key); });
    if (is_read) read.emplace_back(key, value);
  });
  std::ranges::stable_sort(read, {}, &std::pair<std::string_view, Json>::first);
  return read;
}

bool Validator::reads_the_same(const Pod& a, const Pod& b) const {
  return a.has_spec && b.has_spec && same_members(fields_, fields_.root(), a.spec, b.spec) &&
         std::ranges::equal(
             read_annotations(a), read_annotations(b), [](const auto& left, const auto& right) {
               return left.first == right.first && same_json(left.second, right.second);
             });
}

}  // namespace winadmit
