// Reading members of a JSON document whose shape nobody guarantees: absent and null are the same, a
// wrong type is a problem that is noted, never an exception.
#pragma once

#include <simdjson.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/field_path.hpp"

namespace winadmit {

using Json = simdjson::dom::element;
using JsonObject = simdjson::dom::object;
using JsonArray = simdjson::dom::array;

/// Input that the Kubernetes API would not accept.
struct Problem {
  std::string path;
  std::string what;  // "must be a list, not a string"
};

/// "a list", "a string" ...: what a value is, for messages.
std::string_view type_name(Json value);

/// Out of the way of the code that reads what is as it should be: a tenth of the walk's
/// instructions made room for these.
[[gnu::cold]] void add_wrong_type(std::vector<Problem>& problems, const FieldPath& path,
                                  std::string_view wanted, Json value);
[[gnu::cold]] void add_duplicate_key(std::vector<Problem>& problems, const FieldPath& path);

/// The value as a T; nothing, and a problem noted, for another type. Null is nothing and no
/// problem.
template <class T>
std::optional<T> as(Json value, const FieldPath& path, std::vector<Problem>& problems);

/// A member of `object`; nothing if absent, null or of another type. No problem is noted: for what
/// was read and judged elsewhere, or for where a wrong type means "does not match".
template <class T>
std::optional<T> member(JsonObject object, std::string_view key) {
  Json value;
  T typed;
  if (object.at_key(key).get(value) != simdjson::SUCCESS || value.is_null() ||
      value.get(typed) != simdjson::SUCCESS) {
    return std::nullopt;
  }
  return typed;
}

/// A string member, or "".
inline std::string_view text_member(JsonObject object, std::string_view key) {
  return member<std::string_view>(object, key).value_or(std::string_view{});
}

/// The same value: objects as sets of members, lists in order.
bool same_json(Json a, Json b);

}  // namespace winadmit
