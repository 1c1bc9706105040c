#include "policy/json/json.hpp"

#include <algorithm>
#include <cstdint>

#include "policy/json/text.hpp"

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

// Two readers may meet the same problem: it is told once.
template <class Tell>
void FieldErrors::add(const FieldPath& path, Tell tell) {
  if (kept_.size() < kMaxKept) {
    FieldError problem{path.to_string(), tell()};
    if (std::ranges::find(kept_, problem) != kept_.end()) return;
    kept_.push_back(std::move(problem));
  }
  ++count_;
}

void FieldErrors::add_wrong_type(const FieldPath& path, std::string_view wanted, JsonValue value) {
  add(path,
      [&] { return "must be " + std::string(wanted) + ", not " + std::string(type_name(value)); });
}

void FieldErrors::add_missing(const FieldPath& path) {
  add(path, [] { return "is missing"; });
}

void FieldErrors::add_duplicate(const FieldPath& path) {
  has_duplicates_ = true;
  add(path, [] { return "appears twice"; });
}

std::string FieldErrors::message() const {
  std::string line;
  for (const FieldError& problem : kept_) {
    if (!line.empty()) line += "; ";
    line += problem.path + ' ' + problem.what;
  }
  if (count_ > kept_.size()) line += "; and " + format_count(count_ - kept_.size()) + " more";
  return line;
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

}  // namespace

template <class T>
std::optional<T> as(JsonValue value, const FieldPath& path, FieldErrors& errors) {
  if (value.is_null()) return std::nullopt;
  T typed;
  if (value.get(typed) == SUCCESS) return typed;
  errors.add_wrong_type(path, kWanted<T>, value);
  return std::nullopt;
}

template std::optional<JsonObject> as(JsonValue, const FieldPath&, FieldErrors&);
template std::optional<JsonArray> as(JsonValue, const FieldPath&, FieldErrors&);
template std::optional<std::string_view> as(JsonValue, const FieldPath&, FieldErrors&);
template std::optional<bool> as(JsonValue, const FieldPath&, FieldErrors&);

}  // namespace winadmit
