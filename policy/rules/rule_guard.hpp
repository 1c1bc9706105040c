// The requirements for a row of the rule table, as predicates that the compiler runs: rules.cpp
// asserts them for the table, and a test asserts that each can fail.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>

#include "policy/json/field_path.hpp"
#include "policy/rules/field_pattern.hpp"
#include "policy/rules/rule.hpp"
#include "text/text.hpp"

namespace winadmit::guard {

/// The index of the first row that fails a requirement; the number of rows if none does.
constexpr std::size_t first_failing(std::span<const Rule> rows, bool (*requirement)(const Rule&)) {
  const auto row = std::ranges::find_if_not(rows, requirement);
  return static_cast<std::size_t>(row - rows.begin());
}

constexpr bool has_kebab_case_id(const Rule& rule) {
  char before = '-';
  for (const char letter : rule.id) {
    if (!is_lower_or_digit(letter) && (letter != '-' || before == '-')) return false;
    before = letter;
  }
  return before != '-';
}

constexpr bool is_clause(std::string_view text) {
  return !text.empty() && !text.ends_with('.') && !text.starts_with(' ') && !text.ends_with(' ') &&
         text.find("  ") == text.npos;
}

constexpr bool has_reason_and_instead_without_full_stop(const Rule& rule) {
  return is_clause(rule.reason) && is_clause(rule.instead) &&
         (rule.instead_with_spec_os.empty() || is_clause(rule.instead_with_spec_os)) &&
         (rule.instead_in_ephemeral.empty() || is_clause(rule.instead_in_ephemeral));
}

constexpr bool is_public_url(std::string_view source) {
  return source.starts_with("https://") && source.find(' ') == source.npos;
}

constexpr bool has_public_source(const Rule& rule) { return is_public_url(rule.source); }

constexpr bool has_versions_that_exist(const Rule& rule) {
  return rule.versions.first <= rule.versions.last && kOldestVersion <= rule.versions.first &&
         rule.versions.first <= kNewestVersion;
}

constexpr bool denies_or_warns(const Rule& rule) {
  return rule.action == Action::deny || rule.action == Action::warn;
}

/// The predicates of a row expect the same JSON type; `never` expects none.
constexpr bool has_predicates_of_one_type(const Rule& rule) {
  JsonType type = JsonType::any;
  for (const Predicate& one : rule.predicates()) {
    if (!one || one.type == JsonType::any) continue;
    if (type != JsonType::any && type != one.type) return false;
    type = one.type;
  }
  return rule.forbids && type != JsonType::any;
}

constexpr bool has_valid_field(const Rule& rule) {
  if (rule.scope == Scope::annotation) {
    return rule.field.find('/') != rule.field.npos && std::ranges::count(rule.field, '*') <= 1;
  }
  return parse_field_pattern(rule.field).has_value();
}

/// A container in the template of a CronJob is seven steps from the root. Below it each member and
/// each entry of a list is one step.
constexpr bool has_field_that_fits_a_path(const Rule& rule) {
  if (rule.scope == Scope::annotation) return true;
  const auto pattern = parse_field_pattern(rule.field);
  std::size_t steps = 7;
  for (const FieldStep& step : *pattern) steps += step.is_list ? 2 : 1;
  return steps <= FieldPath::kMaxSteps;
}

/// Whether one row applies only where the other does not.
constexpr bool exclude_each_other(const Rule& left, const Rule& right) {
  return (left.only_if && left.only_if.holds == right.unless.holds) ||
         (right.only_if && right.only_if.holds == left.unless.holds);
}

/// Whether the rows do not report a value twice by the same predicate. Whether two predicates match
/// the same value is for the tests of predicates.
constexpr bool are_disjoint(const Rule& left, const Rule& right) {
  if (left.id != right.id || left.scope != right.scope || left.field != right.field ||
      !left.versions.overlaps(right.versions) || exclude_each_other(left, right)) {
    return true;
  }
  // With spec.os.name and under strict, all predicates of a row count.
  for (const Predicate& one : left.predicates()) {
    for (const Predicate& other : right.predicates()) {
      if (one && one.matches != never_matches && one.matches == other.matches) return false;
    }
  }
  return true;
}

/// The index of the first row that is not disjoint from a later one; the number of rows if all are.
constexpr std::size_t first_overlapping(std::span<const Rule> rows) {
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (const Rule& later : rows.subspan(row + 1)) {
      if (!are_disjoint(rows[row], later)) return row;
    }
  }
  return rows.size();
}

}  // namespace winadmit::guard
