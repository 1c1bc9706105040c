#include "policy/json.hpp"

#include <cstdint>

namespace winadmit {

using simdjson::SUCCESS;
using simdjson::dom::element_type;

std::string_view type_name(Json value) {
  switch (value.type()) {
    case element_type::ARRAY:
      return "a list";
    case element_type::OBJECT:
      return "an object";
    case element_type::STRING:
      return "a string";
    case element_type::BOOL:
      return "a boolean";
    case element_type::NULL_VALUE:
      return "null";
    case element_type::INT64:
    case element_type::UINT64:
    case element_type::DOUBLE:
      return "a number";
  }
  return "something else";
}

void add_wrong_type(std::vector<Problem>& problems, const FieldPath& path, std::string_view wanted,
                    Json value) {
  problems.push_back(
      {path.text(), "must be " + std::string(wanted) + ", not " + std::string(type_name(value))});
}

void add_duplicate_key(std::vector<Problem>& problems, const FieldPath& path) {
  problems.push_back({path.text(), "is there twice"});
}

namespace {

template <class T>
constexpr std::string_view kWanted = "";
template <>
constexpr std::string_view kWanted<JsonObject> = "an object";
template <>
constexpr std::string_view kWanted<JsonArray> = "a list";
template <>
constexpr std::string_view kWanted<std::string_view> = "a string";
template <>
constexpr std::string_view kWanted<bool> = "a boolean";
template <>
constexpr std::string_view kWanted<std::int64_t> = "an integer";

}  // namespace

template <class T>
std::optional<T> as(Json value, const FieldPath& path, std::vector<Problem>& problems) {
  if (value.is_null()) return std::nullopt;
  T typed;
  if (value.get(typed) == SUCCESS) return typed;
  add_wrong_type(problems, path, kWanted<T>, value);
  return std::nullopt;
}

template std::optional<JsonObject> as(Json, const FieldPath&, std::vector<Problem>&);
template std::optional<JsonArray> as(Json, const FieldPath&, std::vector<Problem>&);
template std::optional<std::string_view> as(Json, const FieldPath&, std::vector<Problem>&);
template std::optional<bool> as(Json, const FieldPath&, std::vector<Problem>&);
template std::optional<std::int64_t> as(Json, const FieldPath&, std::vector<Problem>&);

namespace {

bool same_object(JsonObject a, JsonObject b) {
  if (a.size() != b.size()) return false;
  // Mostly the members are in the same order: then no look-up is needed.
  auto twin = b.begin();
  for (const auto [key, value] : a) {
    Json other;
    if (twin.key_equals(key)) {
      other = twin.value();
    } else if (b.at_key(key).get(other) != SUCCESS) {
      return false;
    }
    ++twin;
    if (!same_json(value, other)) return false;
  }
  return true;
}

bool same_array(JsonArray a, JsonArray b) {
  auto left = a.begin();
  auto right = b.begin();
  for (; left != a.end() && right != b.end(); ++left, ++right) {
    if (!same_json(*left, *right)) return false;
  }
  return !(left != a.end()) && !(right != b.end());
}

}  // namespace

bool same_json(Json a, Json b) {
  if (a.type() != b.type()) return false;
  switch (a.type()) {
    case element_type::OBJECT:
      return same_object(a.get_object().value_unsafe(), b.get_object().value_unsafe());
    case element_type::ARRAY:
      return same_array(a.get_array().value_unsafe(), b.get_array().value_unsafe());
    case element_type::STRING:
      return a.get_string().value_unsafe() == b.get_string().value_unsafe();
    case element_type::BOOL:
      return a.get_bool().value_unsafe() == b.get_bool().value_unsafe();
    case element_type::INT64:
      return a.get_int64().value_unsafe() == b.get_int64().value_unsafe();
    case element_type::UINT64:
      return a.get_uint64().value_unsafe() == b.get_uint64().value_unsafe();
    case element_type::DOUBLE:
      return a.get_double().value_unsafe() == b.get_double().value_unsafe();
    case element_type::NULL_VALUE:
      return true;
  }
  return false;
}

}  // namespace winadmit
