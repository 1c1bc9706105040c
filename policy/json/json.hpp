// Reads JSON of unknown shape. Null counts as absent. A wrong type or a duplicate key is recorded
// as a FieldError and never throws.
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

/// A field that the Kubernetes API would not accept.
struct FieldError {
  std::string path;     // as messages write it: metadata.annotations[a.b/c]
  std::string pointer;  // the same as a JSON Pointer
  std::string what;     // "must be a list, not a string"

  friend bool operator==(const FieldError&, const FieldError&) = default;
};

/// The errors in one document: the first kMaxKept, and whether there are more.
class FieldErrors {
 public:
  static constexpr std::size_t kMaxKept = 20;

  void add_wrong_type(const FieldPath& path, std::string_view expected, JsonValue value);
  void add_missing(const FieldPath& path);
  void add_duplicate(const FieldPath& path);

  bool empty() const { return kept_.empty(); }
  bool has_more() const { return has_more_; }
  bool has_duplicates() const { return has_duplicates_; }
  const std::vector<FieldError>& kept() const { return kept_; }

  /// "spec.os must be an object, not a string; spec.hostPID is a duplicate key; and more"
  std::string message() const;

 private:
  template <class MakeText>
  void add(const FieldPath& path, MakeText make_text);

  std::vector<FieldError> kept_;
  bool has_more_ = false;
  bool has_duplicates_ = false;
};

/// The type of a value for messages: "a list", "a string".
std::string_view type_name(JsonValue value);

/// The value as a T. Returns nothing for null. For a value of another type, adds an error and
/// returns nothing.
template <class T>
std::optional<T> read_as(JsonValue value, const FieldPath& path, FieldErrors& errors);

/// A member to read, and where to put its value.
template <class T>
struct Member {
  std::string_view key;
  std::optional<T>& slot;
  bool is_seen = false;
};
template <class T>
Member(std::string_view, std::optional<T>&) -> Member<T>;

/// Reads members of the object at `path` in one pass. Duplicate keys and wrong types are errors.
/// `Key`: MapKey for the entries of a map.
template <class Key = std::string_view, class... T>
void read_members(JsonObject object, FieldPath& path, FieldErrors& errors, Member<T>... members) {
  for (auto each = object.begin(), end = object.end(); each != end; ++each) {
    const std::string_view key = each.key();
    const auto read_if = [&]<class Value>(Member<Value>& member) {
      if (key != member.key) return false;
      const ScopedStep step(path, Key{key});
      if (member.is_seen) errors.add_duplicate(path);
      member.is_seen = true;
      member.slot = read_as<Value>(each.value(), path, errors);
      return true;
    };
    (read_if(members) || ...);
  }
}

/// The same of a map with keys of any form, such as annotations.
template <class... T>
void read_entries(JsonObject map, FieldPath& path, FieldErrors& errors, Member<T>... members) {
  read_members<MapKey>(map, path, errors, members...);
}

/// Visits the entries of the list at `path` that are objects. Another type is an error.
template <class Visit>
void for_each_object(const std::optional<JsonArray>& list, FieldPath& path, FieldErrors& errors,
                     Visit visit) {
  if (!list) return;
  std::size_t index = 0;
  for (const JsonValue entry : *list) {
    const ScopedStep step(path, index++, entry);
    if (const auto object = read_as<JsonObject>(entry, path, errors)) visit(*object);
  }
}

/// A member of `object`; nothing if it is absent, null or of another type. Records no error. Use it
/// for members that were read before, or where a wrong type means "does not match".
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

/// Whether a member is a list that has entries.
inline bool is_nonempty_list(JsonObject object, std::string_view key) {
  const auto entries = member<JsonArray>(object, key);
  return entries && entries->begin() != entries->end();
}

/// A string member, or "".
inline std::string_view string_member(JsonObject object, std::string_view key) {
  return member<std::string_view>(object, key).value_or(std::string_view{});
}

}  // namespace winadmit
