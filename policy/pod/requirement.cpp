#include "policy/pod/requirement.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "policy/json/hash.hpp"

namespace winadmit {
namespace {

using Integer = std::int64_t;

/// As strconv.ParseInt reads it: a sign and digits.
std::optional<Integer> integer_of(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  Integer number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// The integers that Gt and Lt leave.
struct Range {
  Integer first = std::numeric_limits<Integer>::min();
  Integer last = std::numeric_limits<Integer>::max();
  bool is_set = false;
  bool is_empty = false;

  void take(const Requirement& requirement) {
    std::optional<Integer> bound;
    requirement.each_value([&](std::string_view text) { bound = integer_of(text); });
    is_set = true;
    const Integer end = requirement.is("Gt") ? std::numeric_limits<Integer>::max()
                                             : std::numeric_limits<Integer>::min();
    if (!bound || *bound == end) {
      is_empty = true;  // what is no number is never reached either
    } else if (requirement.is("Gt")) {
      first = std::max(first, *bound + 1);
    } else {
      last = std::min(last, *bound - 1);
    }
    is_empty |= first > last;
  }

  bool contains(std::string_view text) const {
    const auto number = integer_of(text);
    return number && first <= *number && *number <= last;
  }
};

/// A value, with its hash: a long one that many requirements are held against is hashed once.
struct Value {
  std::string_view text;
  std::uint64_t hash;
};

template <class Visit>
void each_hashed(const Requirement& requirement, Visit visit) {
  requirement.each_value(
      [&](std::string_view text) { visit(Value{text, Hasher().add(text).value()}); });
}

void add_values(const Requirement& requirement, HashSet& to) {
  each_hashed(requirement, [&](const Value& value) { to.insert(value.hash); });
}

/// The values of an `In`, each once, so that no later step meets one of them twice.
std::vector<Value> distinct_values(const Requirement& requirement) {
  std::vector<Value> values;
  HashSet seen;
  each_hashed(requirement, [&](const Value& value) {
    if (seen.insert(value.hash)) values.push_back(value);
  });
  return values;
}

}  // namespace

Left what_is_left(std::span<const Requirement> of_one_key) {
  Left left;
  bool must_exist = false;
  bool must_be_absent = false;
  Range range;
  const Requirement* first_in = nullptr;
  for (const Requirement& each : of_one_key) {
    if (each.is("DoesNotExist")) must_be_absent = true;
    if (each.is("Gt") || each.is("Lt")) range.take(each);
    if (each.is("In") && first_in == nullptr) first_in = &each;
    must_exist |= each.is("Exists") || each.is("In") || each.is("Gt") || each.is("Lt");
  }
  if (!must_exist) return left;  // a node without the key will do
  if (must_be_absent || range.is_empty) return {.anything = false, .values = {}};
  if (first_in == nullptr) return left;

  // Of what one `In` leaves there is no more than it lists, so this is linear in all values.
  std::vector<Value> values = distinct_values(*first_in);
  HashSet forbidden;
  for (const Requirement& each : of_one_key) {
    if (each.is("NotIn")) add_values(each, forbidden);
    if (!each.is("In") || &each == first_in) continue;
    HashSet listed;
    add_values(each, listed);
    std::erase_if(values, [&](const Value& value) { return !listed.contains(value.hash); });
  }
  std::erase_if(values, [&](const Value& value) {
    return forbidden.contains(value.hash) || (range.is_set && !range.contains(value.text));
  });
  for (const Value& value : values) left.values.push_back(value.text);
  left.anything = !left.values.empty();
  return left;
}

}  // namespace winadmit
