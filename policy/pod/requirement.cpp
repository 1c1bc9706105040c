#include "policy/pod/requirement.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "policy/json/hash.hpp"

namespace winadmit {
namespace {

using Integer = std::int64_t;

/// Accepts what strconv.ParseInt accepts: an optional sign and digits.
std::optional<Integer> parse_integer(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  Integer number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// The integers that meet every Gt and Lt.
struct Range {
  Integer first = std::numeric_limits<Integer>::min();
  Integer last = std::numeric_limits<Integer>::max();
  bool is_set = false;
  bool is_empty = false;

  void narrow(const Requirement& requirement) {
    std::optional<Integer> bound;
    requirement.for_each_value([&](std::string_view text) { bound = parse_integer(text); });
    is_set = true;
    const Integer end = requirement.is("Gt") ? std::numeric_limits<Integer>::max()
                                             : std::numeric_limits<Integer>::min();
    if (!bound || *bound == end) {
      is_empty = true;  // a bound that is not an integer matches nothing
    } else if (requirement.is("Gt")) {
      first = std::max(first, *bound + 1);
    } else {
      last = std::min(last, *bound - 1);
    }
    is_empty |= first > last;
  }

  bool contains(std::string_view text) const {
    const auto number = parse_integer(text);
    return number && first <= *number && *number <= last;
  }
};

/// A value with its hash, which many requirements compare.
struct Value {
  std::string_view text;
  std::uint64_t hash;
};

template <class Visit>
void for_each_hashed(const Requirement& requirement, Visit visit) {
  requirement.for_each_value(
      [&](std::string_view text) { visit(Value{text, Hasher().add(text).value()}); });
}

void add_values(const Requirement& requirement, HashSet& to) {
  for_each_hashed(requirement, [&](const Value& value) { to.insert(value.hash); });
}

/// The values of an `In` without duplicates.
std::vector<Value> distinct_values(const Requirement& requirement) {
  std::vector<Value> values;
  HashSet seen;
  for_each_hashed(requirement, [&](const Value& value) {
    if (seen.insert(value.hash)) values.push_back(value);
  });
  return values;
}

}  // namespace

AllowedValues find_allowed_values(std::span<const Requirement> requirements) {
  AllowedValues allowed;
  bool must_exist = false;
  bool must_be_absent = false;
  Range range;
  const Requirement* first_in = nullptr;
  for (const Requirement& each : requirements) {
    if (each.is("DoesNotExist")) must_be_absent = true;
    if (each.is("Gt") || each.is("Lt")) range.narrow(each);
    if (each.is("In") && first_in == nullptr) first_in = &each;
    must_exist |= each.is("Exists") || each.is("In") || each.is("Gt") || each.is("Lt");
  }
  if (!must_exist) return allowed;  // a node without the key matches
  if (must_be_absent || range.is_empty) return {.is_satisfiable = false, .values = {}};
  if (first_in == nullptr) return allowed;

  // Erasing only shrinks the values of the first `In`, so this is linear in all values.
  std::vector<Value> values = distinct_values(*first_in);
  HashSet forbidden;
  for (const Requirement& each : requirements) {
    if (each.is("NotIn")) add_values(each, forbidden);
    if (!each.is("In") || &each == first_in) continue;
    HashSet listed;
    add_values(each, listed);
    std::erase_if(values, [&](const Value& value) { return !listed.contains(value.hash); });
  }
  std::erase_if(values, [&](const Value& value) {
    return forbidden.contains(value.hash) || (range.is_set && !range.contains(value.text));
  });
  for (const Value& value : values) allowed.values.push_back(value.text);
  allowed.is_satisfiable = !allowed.values.empty();
  return allowed;
}

}  // namespace winadmit
