// What every row of the table must be, as predicates over rows that the compiler runs: rules.cpp
// asserts them of the table, a test asserts that each can fail.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>

#include "policy/json/field_path.hpp"
#include "policy/rules/rule.hpp"

namespace winadmit::guard {

/// How many rows come before the first that fails `holds`: the table's size if none does. So a
/// failed static_assert names the row by its number.
template <typename Holds>
constexpr std::size_t first_failing(std::span<const Rule> rows, Holds holds) {
  const auto row = std::find_if_not(rows.begin(), rows.end(), holds);
  return static_cast<std::size_t>(row - rows.begin());
}

constexpr bool is_lower_or_digit(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9');
}

constexpr bool is_letter_or_digit(char letter) {
  return is_lower_or_digit(letter) || (letter >= 'A' && letter <= 'Z');
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

constexpr bool has_texts(const Rule& rule) {
  return is_clause(rule.reason) && is_clause(rule.instead);
}

constexpr bool is_public_url(std::string_view source) {
  return source.starts_with("https://") && source.find(' ') == source.npos;
}

constexpr bool has_public_source(const Rule& rule) { return is_public_url(rule.source); }

constexpr bool has_versions(const Rule& rule) {
  return rule.versions.first <= rule.versions.last && kOldestVersion <= rule.versions.first;
}

constexpr bool has_action_of_a_rule(const Rule& rule) {
  return rule.action == Action::deny || rule.action == Action::warn;
}

/// Each predicate that the row names speaks of the same JSON type. `never` has none.
constexpr bool has_one_shape(const Rule& rule) {
  Shape shape = Shape::any;
  for (const Predicate& one : {rule.forbids, rule.forbids_with_spec_os, rule.forbids_strict}) {
    if (!one || one.shape == Shape::any) continue;
    if (shape != Shape::any && shape != one.shape) return false;
    shape = one.shape;
  }
  return rule.forbids && shape != Shape::any;
}

/// `name`, or `{a,b}`, either with a `[*]` behind it.
constexpr bool is_path_member(std::string_view member) {
  if (member.ends_with("[*]")) member.remove_suffix(3);
  const bool braced = member.starts_with('{');
  if (braced != member.ends_with('}')) return false;
  if (braced) member = member.substr(1, member.size() - 2);
  char before = ',';
  for (const char letter : member) {
    if (!is_letter_or_digit(letter) && (!braced || letter != ',' || before == ',')) return false;
    before = letter;
  }
  return before != ',';
}

constexpr bool has_legal_field(const Rule& rule) {
  std::string_view rest = rule.field;
  if (rule.scope == Scope::annotation) {
    return !rest.empty() && rest.find('/') != rest.npos &&
           std::count(rest.begin(), rest.end(), '*') <= 1;
  }
  while (!rest.empty()) {
    const std::size_t dot = rest.find('.');
    if (!is_path_member(rest.substr(0, dot))) return false;
    if (dot == rest.npos) break;
    rest.remove_prefix(dot + 1);
    if (rest.empty()) return false;
  }
  return true;
}

/// Seven steps lead to a container in the template of a CronJob; from there on each member and each
/// entry of a list is one.
constexpr bool has_field_that_fits_a_path(const Rule& rule) {
  if (rule.scope == Scope::annotation || rule.field.empty()) return true;
  const auto members = 1 + std::count(rule.field.begin(), rule.field.end(), '.');
  const auto entries = std::count(rule.field.begin(), rule.field.end(), '*');
  return 7 + static_cast<std::size_t>(members + entries) <= FieldPath::kMostSteps;
}

/// The predicate that decides, by whether spec.os.name is set and whether `strict` is on.
constexpr const Predicate& deciding(const Rule& rule, bool spec_os, bool strict) {
  if (strict && rule.forbids_strict) return rule.forbids_strict;
  if ((spec_os || strict) && rule.forbids_with_spec_os) return rule.forbids_with_spec_os;
  return rule.forbids;
}

/// Two rows that could both speak of one value would report it twice.
constexpr bool are_disjoint(const Rule& left, const Rule& right) {
  if (left.id != right.id || left.scope != right.scope || left.field != right.field ||
      !left.versions.overlaps(right.versions)) {
    return true;
  }
  for (const bool spec_os : {false, true}) {
    for (const bool strict : {false, true}) {
      if (deciding(left, spec_os, strict).matches == deciding(right, spec_os, strict).matches) {
        return false;
      }
    }
  }
  return true;
}

constexpr bool all_are_disjoint(std::span<const Rule> rows) {
  for (std::size_t left = 0; left < rows.size(); ++left) {
    for (std::size_t right = left + 1; right < rows.size(); ++right) {
      if (!are_disjoint(rows[left], rows[right])) return false;
    }
  }
  return true;
}

}  // namespace winadmit::guard
