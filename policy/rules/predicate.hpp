// What a row of the rule table is made of: a predicate on a value, and conditions on its pod. Each
// is a C++ function, which the server runs, with its CEL text for the API server.
#pragma once

#include <simdjson.h>

#include <string_view>

#include "policy/json/json.hpp"
#include "policy/rules/version.hpp"

namespace winadmit {

/// The twin of a C++ function: the text by which the API server evaluates it in an exported
/// admission policy. These placeholders are replaced:
///   $value      the value as an optional: `c.?securityContext.?privileged`
///   $key        a key of the value, for a predicate with forbids_key
///   $pod        the pod: a map with the members of export/cel/pod_view.hpp
///   $container  the container of the value
/// It has no default, so that no predicate can be written without one.
class Cel {
 public:
  constexpr explicit Cel(std::string_view text) : text_(text) {}

  /// For a text that differs from the C++ function: `difference` says where, as a clause.
  constexpr Cel(std::string_view text, std::string_view difference)
      : text_(text), difference_(difference) {}

  /// For what CEL cannot say; `why` is a clause.
  static constexpr Cel none(std::string_view why) { return {"", why}; }

  constexpr bool is_expressible() const { return !text_.empty(); }
  constexpr std::string_view text() const { return text_; }
  /// Where the text differs, or why there is none; empty if it says the same as the function.
  constexpr std::string_view difference() const { return difference_; }

 private:
  std::string_view text_;
  std::string_view difference_;
};

struct Pod;

/// Where a value was found, for predicates that relate it to other fields.
struct Context {
  const Pod& pod;
  simdjson::dom::object container;  // the container of the value; outside of one, the pod spec
  bool spec_os = false;  // the API server validates the pod by spec.os.name, which is windows
  Version kubernetes = kNewestVersion;
};

/// The JSON type of a field in the Kubernetes API. A value of another type is an error of the
/// input, not a match.
enum class JsonType { any, boolean, integer, string, list, object };

struct Predicate {
  using Matches = bool (*)(JsonValue value, const Context& where);
  using ForbidsKey = bool (*)(std::string_view key);
  using ForbidsEntry = bool (*)(JsonValue value);

  /// Unset.
  constexpr Predicate() = default;
  constexpr Predicate(Matches matched_by, Cel twin, std::string_view text,
                      JsonType expected = JsonType::any, std::string_view read = {},
                      JsonType type_of_read = JsonType::any)
      : matches(matched_by),
        cel(twin),
        description(text),
        type(expected),
        reads(read),
        reads_type(type_of_read) {}

  Matches matches = nullptr;
  Cel cel = Cel::none("the predicate is unset");
  std::string_view description;  // completes "forbidden when it ..."
  JsonType type = JsonType::any;

  /// The members of the value that `matches` reads, as a field pattern.
  std::string_view reads = {};
  JsonType reads_type = JsonType::any;  // of these members

  /// For a map: the forbidden keys, each of which is a finding. Then `cel` is on $key. Unset: the
  /// whole value is one finding.
  ForbidsKey forbids_key = nullptr;

  /// For a map: which values of these keys are forbidden. Set together with `forbids_key`.
  ForbidsEntry forbids_entry = nullptr;

  /// Whether `matches` relates what it reads to other fields and ignores the rest of the value: a
  /// change of the rest makes no new finding.
  bool relates = false;

  /// Whether a match means that the field, or the key of `forbids_key`, must not be set at all.
  /// About other values, the reason says enough.
  bool forbids_field = false;

  constexpr explicit operator bool() const { return matches != nullptr; }

  /// The same predicate, which forbids the field.
  constexpr Predicate forbidding_field() const {
    Predicate made = *this;
    made.forbids_field = true;
    return made;
  }
  /// The same predicate with a finding for each forbidden key whose value is forbidden too.
  constexpr Predicate by_key(ForbidsKey key, ForbidsEntry entry) const {
    Predicate made = forbidding_field();
    made.forbids_key = key;
    made.forbids_entry = entry;
    return made;
  }
  /// The same predicate, which reads the siblings of the field.
  constexpr Predicate reads_siblings() const {
    Predicate made = *this;
    made.relates = true;
    return made;
  }
};

struct Condition {
  using Holds = bool (*)(const Context& where);

  /// Unset.
  constexpr Condition() = default;
  constexpr Condition(Holds held_by, Cel twin, std::string_view text)
      : holds(held_by), cel(twin), description(text), description_without_spec_os(text) {}

  constexpr Condition described_without_spec_os(std::string_view text) const {
    Condition copy = *this;
    copy.description_without_spec_os = text;
    return copy;
  }

  /// The same condition, which holds in no release before this one.
  constexpr Condition from(Version release) const {
    Condition copy = *this;
    copy.since = release;
    return copy;
  }

  bool applies(const Context& where) const { return where.kubernetes >= since && holds(where); }

  Holds holds = nullptr;
  Cel cel = Cel::none("the condition is unset");
  std::string_view description;                  // completes "only if ..." and "unless ..."
  std::string_view description_without_spec_os;  // the same in a release before kPodOsVersion
  Version since = kOldestVersion;

  constexpr explicit operator bool() const { return holds != nullptr; }
};

}  // namespace winadmit
