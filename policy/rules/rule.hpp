// The vocabulary of the rule table: what a row says. The rows are in rules_<group>.hpp, which
// rules.cpp joins; the engine that walks a pod by them is in validate.
#pragma once

#include <span>
#include <string_view>

#include "policy/rules/predicates.hpp"
#include "policy/rules/version.hpp"

namespace winadmit {

enum class Action {
  allow,  // the field is looked at and let pass: an "allowed, because"
  warn,   // admitted, with a warning that kubectl prints
  deny,   // refused
  strip,  // never in the table, by configuration only: the mutating side removes the field
};

/// What a rule's field path starts from.
enum class Scope {
  pod,             // the pod spec
  each_container,  // every entry of containers, initContainers and ephemeralContainers
  each_main,       // every entry of containers and initContainers
  each_ephemeral,  // every entry of ephemeralContainers
  annotation,      // metadata.annotations; `field` is the key, with at most one `*` in it
};

/// One row of the table. It reads as a sentence: <id>: on <scope>, <field>, forbid <predicate>, in
/// <versions>, <action>, because <reason>, instead <instead>, says <source>.
struct Rule {
  /// Kebab-case noun of the forbidden thing, as in the policy matrix; never reused. Rows may share
  /// an id if their predicates, fields or version ranges are disjoint.
  std::string_view id;

  Scope scope = Scope::pod;

  /// The path that is walked, reported and documented: members joined by '.', `[*]` after a list,
  /// `{a,b}` for "either of". Empty: the scope's own object (a rule that relates several fields).
  std::string_view field;

  /// What the field's value must not be. Called only when the field is there and not null.
  Predicate forbids;

  /// The same where spec.os.name is windows: there the API server itself tests presence, not value,
  /// and what it refuses is a denial whatever `action` says. Unset: as `forbids`, with `action`.
  Predicate forbids_with_spec_os = {};

  /// The same under `strict: true`, which refuses benign leftovers too, and again what it catches
  /// is a denial. Never a value that the API server or its plugins put into every pod. Unset: as
  /// `forbids_with_spec_os`, else as `forbids` with `action`: a row that warns of something which
  /// is merely ignored, and that has no benign leftovers, goes on to warn.
  Predicate forbids_strict = {};

  /// What makes the rule not apply (a HostProcess pod, say).
  Exception unless = {};

  VersionRange versions = {};

  Action action = Action::deny;

  /// Why, in plain words; no full stop, no field name: the engine adds path and id.
  std::string_view reason;

  /// What to do instead, in the imperative; no full stop.
  std::string_view instead;

  /// Public document or upstream source file that says so.
  std::string_view source;
};

/// The table, grouped as the policy matrix is.
std::span<const Rule> rules();

/// Whether the fields of a rule may be removed from a pod: only those may that say nothing at all
/// on Windows, which is what the API server refuses beside spec.os whatever the value. To remove a
/// volume's source, say, would make another volume of it.
bool is_removable(std::string_view rule_id);

}  // namespace winadmit
