#include "policy/json/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace winadmit {

using simdjson::SUCCESS;
using simdjson::dom::element_type;

std::string_view type_name(JsonValue value) {
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

template <class MakeText>
void FieldErrors::add(const FieldPath& path, MakeText make_text) {
  if (has_more_) return;
  FieldError error{path.to_string(), path.json_pointer(), make_text()};
  // Two readers may find the same error.
  if (std::ranges::find(kept_, error) != kept_.end()) return;
  has_more_ = kept_.size() == kMaxKept;
  if (!has_more_) kept_.push_back(std::move(error));
}

void FieldErrors::add_wrong_type(const FieldPath& path, std::string_view expected,
                                 JsonValue value) {
  add(path, [&] { return fmt::format("must be {}, not {}", expected, type_name(value)); });
}

void FieldErrors::add_missing(const FieldPath& path) {
  add(path, [] { return "is missing"; });
}

void FieldErrors::add_duplicate(const FieldPath& path) {
  has_duplicates_ = true;
  add(path, [] { return "is a duplicate key"; });
}

std::string FieldErrors::message() const {
  std::string message;
  for (const FieldError& error : kept_) {
    if (!message.empty()) message += "; ";
    message += error.path + ' ' + error.what;
  }
  if (has_more_) message += "; and more";
  return message;
}

namespace {

template <class T>
constexpr std::string_view kTypeName = "";
template <>
constexpr std::string_view kTypeName<JsonObject> = "an object";
template <>
constexpr std::string_view kTypeName<JsonArray> = "a list";
template <>
constexpr std::string_view kTypeName<std::string_view> = "a string";
template <>
constexpr std::string_view kTypeName<bool> = "a boolean";

}  // namespace

template <class T>
std::optional<T> read_as(JsonValue value, const FieldPath& path, FieldErrors& errors) {
  if (value.is_null()) return std::nullopt;
  T typed;
  if (value.get(typed) == SUCCESS) return typed;
  errors.add_wrong_type(path, kTypeName<T>, value);
  return std::nullopt;
}

template std::optional<JsonObject> read_as(JsonValue, const FieldPath&, FieldErrors&);
template std::optional<JsonArray> read_as(JsonValue, const FieldPath&, FieldErrors&);
template std::optional<std::string_view> read_as(JsonValue, const FieldPath&, FieldErrors&);
template std::optional<bool> read_as(JsonValue, const FieldPath&, FieldErrors&);

}  // namespace winadmit
