#include "policy/judge/validate.hpp"

#include <array>
#include <cstdint>
#include <optional>

#include "policy/pod/labels.hpp"
#include "policy/rules/field_pattern.hpp"

namespace winadmit {
namespace {

/// As the API server words its own refusals (k8s.io/kubernetes pkg/apis/core/validation).
constexpr std::string_view kDenialLead = "cannot be set for a windows pod";
constexpr std::string_view kWarningLead = "should not be set for a windows pod";

std::string_view with_article(JsonType type) {
  static constexpr auto kTexts = std::to_array<std::string_view>(
      {"any value", "a boolean", "an integer", "a string", "a list", "an object"});
  static_assert(kTexts.size() == static_cast<std::size_t>(JsonType::object) + 1);
  return kTexts[static_cast<std::size_t>(type)];
}

bool has_type(JsonValue value, JsonType type) {
  switch (type) {
    case JsonType::any:
      return true;
    case JsonType::boolean:
      return value.is_bool();
    case JsonType::integer:
      return value.is_int64() || value.is_uint64();
    case JsonType::string:
      return value.is_string();
    case JsonType::list:
      return value.is_array();
    case JsonType::object:
      return value.is_object();
  }
  return true;
}

/// One walk over one pod.
class Walk {
 public:
  Walk(const Pod& pod, const Settings& settings, const FieldTree& fields, FindingSink& findings,
       FieldErrors& errors, ValidateAs as)
      : settings_(settings),
        fields_(fields),
        findings_(findings),
        errors_(errors),
        as_(as),
        path_(pod.spec_path()),
        where_{.pod = pod,
               .container = *pod.spec,
               .spec_os =
                   as != ValidateAs::configured || has_windows_spec_os(pod, settings.kubernetes),
               .kubernetes = settings.kubernetes} {}

  void visit_members(const FieldTree::Node& node, JsonObject object) {
    std::uint64_t seen = 0;  // a bit for each member of the node
    // Not a range-based loop: it would make the value of every member.
    for (auto each = object.begin(), end = object.end(); each != end; ++each) {
      const std::string_view key = each.key();
      const int at = node.members.find(key);
      if (at == NameTable::kNotFound) continue;
      const FieldTree::Node& child = fields_.node(node.children[static_cast<std::size_t>(at)]);
      const std::uint64_t bit = std::uint64_t{1}
                                << (static_cast<unsigned>(at) % FieldTree::kMaxMembers);
      const bool is_duplicate = (seen & bit) != 0;
      seen |= bit;
      if (!child.is_visited && !is_duplicate) continue;
      const ScopedStep step(path_, key);
      if (is_duplicate) {
        errors_.add_duplicate(path_);
      } else {
        visit(child, each.value());
      }
    }
  }

  void visit_annotations(std::span<const Rule* const> rules) {
    if (!where_.pod.annotations) return;
    path_ = where_.pod.metadata_path();
    path_.enter("annotations");
    HashSet seen;
    for (const auto [key, value] : *where_.pod.annotations) {
      path_.enter_key(key);
      visit_annotation(rules, key, value, seen);
      path_.leave();
    }
    path_ = where_.pod.spec_path();
  }

 private:
  void visit_annotation(std::span<const Rule* const> rules, std::string_view key, JsonValue value,
                        HashSet& seen) {
    bool is_read = false;
    for (const Rule* rule : rules) {
      if (!matches_annotation(rule->field, key)) continue;
      if (!is_read && !seen.insert(Hasher().add(key).value())) {
        return errors_.add_duplicate(path_);
      }
      is_read = true;
      if (!value.is_null()) judge(*rule, value);
    }
  }

  void visit(const FieldTree::Node& node, JsonValue value) {
    if (value.is_null()) return;  // null means absent
    if (!has_expected_type(node, value)) return;
    for (const Rule* rule : node.rules) judge(*rule, value);
    if (node.items != FieldTree::kNoNode) {
      visit_items(fields_.node(node.items), value.get_array().value_unsafe());
    } else if (!node.children.empty()) {
      visit_members(node, value.get_object().value_unsafe());
    }
  }

  /// Whether the value has the type that the rules here and below expect; adds an error if not.
  bool has_expected_type(const FieldTree::Node& node, JsonValue value) {
    JsonType type = node.type;
    if (!node.children.empty()) type = JsonType::object;
    if (node.items != FieldTree::kNoNode) type = JsonType::list;
    if (has_type(value, type)) return true;
    errors_.add_wrong_type(path_, with_article(type), value);
    return false;
  }

  void visit_items(const FieldTree::Node& node, JsonArray list) {
    std::size_t index = 0;
    if (node.is_container) is_in_ephemeral_ = node.is_ephemeral_container;
    for (const JsonValue entry : list) {
      const ScopedStep step(path_, index++, entry);
      if (node.is_container && entry.get(where_.container) != simdjson::SUCCESS) {
        where_.container = *where_.pod.spec;
      }
      visit(node, entry);
    }
    if (node.is_container) {
      is_in_ephemeral_ = false;
      where_.container = *where_.pod.spec;
    }
  }

  void judge(const Rule& rule, JsonValue value) {
    if (!has_type(value, rule.forbids.type)) {
      errors_.add_wrong_type(path_, with_article(rule.forbids.type), value);
      return;
    }
    const Action action = find_action(rule, value);
    if (action == Action::allow) return;
    if (!rule.applies(where_)) return;
    if (rule.forbids.forbids_key != nullptr) return report_entries(rule, action, value);
    // A rule that relates several fields does not depend on everything in their object.
    report(rule, action,
           rule.field.empty() || rule.forbids.relates ? std::nullopt : std::optional(value));
  }

  void report(const Rule& rule, Action action, std::optional<JsonValue> value) {
    findings_.add({.id = rule.id,
                   .action = action,
                   .path = path_,
                   .lead = lead_of(rule, action),
                   .reason = rule.reason,
                   .instead = instead_of(rule),
                   .source = rule.source,
                   .value = value});
  }

  std::string_view instead_of(const Rule& rule) const {
    // The pod of an ephemeral container exists, and its spec.os cannot be set any more.
    if (is_in_ephemeral_ && !where_.spec_os && !rule.instead_in_ephemeral.empty()) {
      return rule.instead_in_ephemeral;
    }
    const bool is_final =
        where_.spec_os || is_in_ephemeral_ || (rule.is_set_by_scc && !may_have_sccs());
    return is_final && !rule.instead_with_spec_os.empty() ? rule.instead_with_spec_os
                                                          : rule.instead;
  }

  /// The security context constraints of OpenShift.
  bool may_have_sccs() const { return settings_.target.windows_labels.contains(kOpenShiftOsLabel); }

  void report_entries(const Rule& rule, Action action, JsonValue map) {
    HashSet seen;
    const JsonObject entries = map.get_object().value_unsafe();
    for (const auto [key, value] : entries) {
      if (!rule.forbids.forbids_key(key)) continue;
      path_.enter_key(key);
      if (!seen.insert(Hasher().add(key).value())) {
        errors_.add_duplicate(path_);
      } else if (rule.forbids.forbids_entry(value)) {
        report(rule, action, value);
      }
      path_.leave();
    }
  }

  /// What the rule and the settings say about a value; allow if it does not match.
  Action find_action(const Rule& rule, JsonValue value) const {
    Action action = Action::allow;
    if (rule.forbids.matches(value, where_)) action = rule.action;
    if (where_.spec_os && as_ != ValidateAs::policy_with_spec_os && rule.forbids_with_spec_os &&
        rule.forbids_with_spec_os.matches(value, where_)) {
      action = Action::deny;
    }
    const Predicate& strict = rule.strict_predicate();
    if (settings_.strict && strict && strict.matches(value, where_)) action = Action::deny;
    if (action == Action::allow) return action;
    const Action configured = settings_.action_of(rule.id, action);
    // No configuration allows what the API server would refuse.
    const bool is_final = as_ == ValidateAs::api_server_with_spec_os &&
                          configured != Action::strip && is_refused_with_spec_os(rule.id);
    return is_final ? action : configured;
  }

  const Settings& settings_;
  const FieldTree& fields_;
  FindingSink& findings_;
  FieldErrors& errors_;
  ValidateAs as_;
  bool is_in_ephemeral_ = false;  // in the list of these containers
  FieldPath path_;
  Context where_;
};

}  // namespace

std::string_view lead_of(const Rule& rule, Action action) {
  if (!rule.forbids.forbids_field) return "";
  return action == Action::deny ? kDenialLead : kWarningLead;
}

bool has_windows_spec_os(const Pod& pod, Version kubernetes) {
  return pod.os_name == to_string(Os::windows) && kubernetes >= kPodOsVersion;
}

Validator::Validator(std::span<const Rule> rules, const Settings& settings)
    : settings_(settings), fields_(rules, settings.kubernetes) {
  for (const Rule& rule : rules) {
    if (rule.scope == Scope::annotation && rule.versions.contains(settings.kubernetes)) {
      annotation_rules_.push_back(&rule);
    }
  }
}

void Validator::validate(const Pod& pod, FindingSink& findings, FieldErrors& errors,
                         ValidateAs as) const {
  if (!pod.spec) return;
  Walk walk(pod, settings_, fields_, findings, errors, as);
  walk.visit_members(fields_.root(), *pod.spec);
  walk.visit_annotations(annotation_rules_);
}

}  // namespace winadmit
