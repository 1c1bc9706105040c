#include "policy/json/json.hpp"

#include <algorithm>
#include <cstdint>

#include "policy/json/text.hpp"

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

// Two readers may meet the same problem: it is told once.
template <class Tell>
void Problems::add(const FieldPath& path, Tell tell) {
  if (kept_.size() < kMostKept) {
    Problem problem{path.text(), tell()};
    if (std::ranges::find(kept_, problem) != kept_.end()) return;
    kept_.push_back(std::move(problem));
  }
  ++count_;
}

void Problems::add_wrong_type(const FieldPath& path, std::string_view wanted, Json value) {
  add(path,
      [&] { return "must be " + std::string(wanted) + ", not " + std::string(type_name(value)); });
}

void Problems::add_missing(const FieldPath& path) {
  add(path, [] { return "is missing"; });
}

void Problems::add_duplicate(const FieldPath& path) {
  has_duplicates_ = true;
  add(path, [] { return "appears twice"; });
}

std::string Problems::line() const {
  std::string line;
  for (const Problem& problem : kept_) {
    if (!line.empty()) line += "; ";
    line += problem.path + ' ' + problem.what;
  }
  if (count_ > kept_.size()) line += "; and " + with_separators(count_ - kept_.size()) + " more";
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
std::optional<T> as(Json value, const FieldPath& path, Problems& problems) {
  if (value.is_null()) return std::nullopt;
  T typed;
  if (value.get(typed) == SUCCESS) return typed;
  problems.add_wrong_type(path, kWanted<T>, value);
  return std::nullopt;
}

template std::optional<JsonObject> as(Json, const FieldPath&, Problems&);
template std::optional<JsonArray> as(Json, const FieldPath&, Problems&);
template std::optional<std::string_view> as(Json, const FieldPath&, Problems&);
template std::optional<bool> as(Json, const FieldPath&, Problems&);

}  // namespace winadmit
