// One row of the rule table. The rows are in rules_<group>.hpp, and rules.cpp joins them; validate
// walks a pod by them.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "policy/rules/action.hpp"
#include "policy/rules/predicates.hpp"
#include "policy/rules/version.hpp"

namespace winadmit {

/// The object that a rule's field belongs to.
enum class Scope {
  pod,                 // the pod spec
  pod_and_containers,  // the pod spec, and every entry of the lists of each_container
  each_container,      // every entry of containers, initContainers and ephemeralContainers
  each_non_ephemeral,  // every entry of containers and initContainers
  each_ephemeral,      // every entry of ephemeralContainers
  annotation,          // metadata.annotations; `field` is a key, with at most one `*` in it
};

constexpr bool includes_pod(Scope scope) {
  return scope == Scope::pod || scope == Scope::pod_and_containers;
}

/// A row reads as a sentence: <id>: on <scope>, <field>, forbid <predicate>, only if <condition>,
/// unless <condition>, in <versions>, <action>, because <reason>, instead <instead>, see <source>.
struct Rule {
  /// A noun in kebab-case for what is forbidden; never reused for something else. Rows may share an
  /// id if their fields, version ranges, conditions or predicates are disjoint.
  std::string_view id;

  Scope scope = Scope::pod;

  /// The path that is walked, reported and documented, as in field_pattern.hpp. Empty for a rule
  /// that relates several fields of the scope's object.
  std::string_view field;

  /// The values that are forbidden. Called only for a field that is present and not null.
  Predicate forbids;

  /// As `forbids`, for a pod whose spec.os.name is windows. The API server itself refuses such a
  /// field when it is present, so a match is a denial whatever `action` is. Unset: as `forbids`,
  /// with `action`.
  Predicate forbids_with_spec_os = {};

  /// As `forbids`, under `strict: true`, which also refuses values without effect. A match is a
  /// denial. It must not match a value that the API server or its plugins add to every pod. Unset:
  /// as `forbids_with_spec_os`, else as `forbids` with `action`.
  Predicate forbids_strict = {};

  /// The rule applies only where this does, for example to a HostProcess pod. Unset: everywhere.
  Condition only_if = {};

  /// The rule does not apply where this does.
  Condition unless = {};

  VersionRange versions = {};

  /// deny or warn.
  Action action = Action::deny;

  /// Why, without a full stop and without the field's name: a message starts with the path and ends
  /// with the id.
  std::string_view reason;

  /// What to do instead, in the imperative, without a full stop.
  std::string_view instead;

  /// As `instead`, for a pod whose spec.os.name is windows. Unset: as `instead`.
  std::string_view instead_with_spec_os = {};

  /// As `instead`, for an ephemeral container of a pod without spec.os.name, which cannot be set
  /// any more. Unset: as `instead_with_spec_os`, else as `instead`.
  std::string_view instead_in_ephemeral = {};

  /// Level restricted of Pod Security refuses a pod whose field is missing or has another value,
  /// unless spec.os.name is windows.
  bool required_by_restricted = false;

  /// Only the author can replace what the value asks for, and the API server refuses the field if
  /// spec.os.name is windows. So `fix` and setOs leave the field, and do not set spec.os. False for
  /// a row whose advice is that the pod works without the field.
  bool needs_manual_fix = false;

  /// An OpenShift SCC sets the field unless spec.os.name is windows, and `instead` says so. On
  /// other platforms `instead_with_spec_os` is said of every pod.
  bool is_set_by_scc = false;

  /// The public document or upstream source file that states it.
  std::string_view source;

  /// Whether the conditions of the row hold.
  bool applies(const Context& where) const {
    return (!only_if || only_if.applies(where)) && !(unless && unless.applies(where));
  }

  /// What counts under `strict: true`, beside `forbids`; unset if nothing more does.
  constexpr const Predicate& strict_predicate() const {
    return forbids_strict ? forbids_strict : forbids_with_spec_os;
  }

  /// All three, of which some may be unset.
  constexpr std::array<Predicate, 3> predicates() const {
    return {forbids, forbids_with_spec_os, forbids_strict};
  }
};

/// The rule table.
std::span<const Rule> rules();

/// Whether the action strip may be configured for a rule. It may only remove fields without any
/// effect on Windows: those that the API server refuses with spec.os whatever their value.
/// Removing the source of a volume, for example, would make it another volume.
bool is_removable(std::string_view rule_id);

/// Whether the API server refuses a field with a value that the rule forbids, if spec.os.name is
/// windows. For the id, because one row may have the values that it refuses only then, and another
/// those that Windows lacks.
bool is_refused_with_spec_os(std::string_view rule_id);

/// Whether the field of a rule may be removed only if spec.os.name is windows, because Pod
/// Security may ask for it.
bool required_by_restricted(std::string_view rule_id);

}  // namespace winadmit
