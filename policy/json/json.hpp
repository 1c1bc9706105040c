// Reading members of a JSON document whose shape nobody guarantees: absent and null are the same, a
// wrong type or a key that appears twice is a problem that is noted, never an exception.
#pragma once

#include <simdjson.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/json/field_path.hpp"

namespace winadmit {

using JsonValue = simdjson::dom::element;
using JsonObject = simdjson::dom::object;
using JsonArray = simdjson::dom::array;

/// Input that the Kubernetes API would not accept.
struct FieldError {
  std::string path;
  std::string what;  // "must be a list, not a string"

  friend bool operator==(const FieldError&, const FieldError&) = default;
};

/// The errors of one document: the first few are kept, the rest is counted.
class FieldErrors {
 public:
  static constexpr std::size_t kMaxKept = 20;

  void add_wrong_type(const FieldPath& path, std::string_view wanted, JsonValue value);
  void add_missing(const FieldPath& path);
  /// Which of the two values counts depends on the reader.
  void add_duplicate(const FieldPath& path);

  bool empty() const { return count_ == 0; }
  std::size_t count() const { return count_; }
  bool has_duplicates() const { return has_duplicates_; }
  const std::vector<FieldError>& kept() const { return kept_; }

  /// "spec.os must be an object, not a string; spec.hostPID appears twice; and 12 more"
  std::string message() const;

 private:
  template <class Tell>
  void add(const FieldPath& path, Tell tell);

  std::vector<FieldError> kept_;
  std::size_t count_ = 0;
  bool has_duplicates_ = false;
};

/// "a list", "a string" ...: what a value is, for messages.
std::string_view type_name(JsonValue value);

/// The value as a T; nothing, and a problem noted, for another type. Null is nothing and no
/// problem.
template <class T>
std::optional<T> as(JsonValue value, const FieldPath& path, FieldErrors& errors);

/// A member that is read, and where it goes.
template <class T>
struct Member {
  std::string_view key;
  std::optional<T>& slot;
  bool is_seen = false;
};
template <class T>
Member(std::string_view, std::optional<T>&) -> Member<T>;

/// Reads members of the object at `path`, in one pass over it. A key that appears twice is noted,
/// and so is a wrong type.
template <class... T>
void read_members(JsonObject object, FieldPath& path, FieldErrors& errors, Member<T>... wanted) {
  for (auto each = object.begin(), end = object.end(); each != end; ++each) {
    const std::string_view key = each.key();
    const auto take = [&](auto& one) {
      if (key != one.key) return false;
      const ScopedStep step(path, key);
      if (one.is_seen) errors.add_duplicate(path);
      one.is_seen = true;
      one.slot = as<typename std::remove_reference_t<decltype(one.slot)>::value_type>(each.value(),
                                                                                      path, errors);
      return true;
    };
    (take(wanted) || ...);
  }
}

/// Visits the entries of the list at `path` that are objects; another type is noted.
template <class Visit>
void read_objects(const std::optional<JsonArray>& list, FieldPath& path, FieldErrors& errors,
                  Visit visit) {
  if (!list) return;
  std::size_t index = 0;
  for (const JsonValue entry : *list) {
    const ScopedStep step(path, index++, entry);
    if (const auto object = as<JsonObject>(entry, path, errors)) visit(*object);
  }
}

/// A member of `object`; nothing if absent, null or of another type. No problem is noted: for what
/// was read and judged elsewhere, or for where a wrong type means "does not match".
template <class T>
std::optional<T> member(JsonObject object, std::string_view key) {
  JsonValue value;
  T typed;
  if (object.at_key(key).get(value) != simdjson::SUCCESS || value.is_null() ||
      value.get(typed) != simdjson::SUCCESS) {
    return std::nullopt;
  }
  return typed;
}

/// A string member, or "".
inline std::string_view string_member(JsonObject object, std::string_view key) {
  return member<std::string_view>(object, key).value_or(std::string_view{});
}

}  // namespace winadmit
