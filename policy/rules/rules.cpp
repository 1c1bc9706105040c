// The rule table. Its rows are in one header a group; here they become one array, which the
// compiler checks.
#include <algorithm>
#include <array>
#include <cstddef>
#include <set>

#include "policy/rules/rule.hpp"
#include "policy/rules/rule_guard.hpp"
#include "policy/rules/rules_accounts.hpp"
#include "policy/rules/rules_annotations.hpp"
#include "policy/rules/rules_container.hpp"
#include "policy/rules/rules_linux_security.hpp"
#include "policy/rules/rules_pod.hpp"
#include "policy/rules/rules_privileges.hpp"
#include "policy/rules/rules_users.hpp"
#include "policy/rules/rules_volume_drivers.hpp"
#include "policy/rules/rules_volumes.hpp"

namespace winadmit {
namespace {

template <std::size_t... Sizes>
constexpr auto concatenate(const std::array<Rule, Sizes>&... groups) {
  std::array<Rule, (Sizes + ...)> rows;
  auto end = rows.begin();
  ((end = std::copy(groups.begin(), groups.end(), end)), ...);
  return rows;
}

constexpr auto kTable =
    concatenate(table::kPodRules, table::kUserRules, table::kPrivilegeRules, table::kAccountRules,
                table::kLinuxSecurityRules, table::kContainerRules, table::kVolumeRules,
                table::kVolumeDriverRules, table::kAnnotationRules);

/// The id of a row as a template argument, because compilers print those.
template <std::size_t Row>
constexpr auto id_of_row() {
  std::array<char, kTable[Row].id.size() + 1> id{};
  std::ranges::copy(kTable[Row].id, id.begin());
  return id;
}

template <auto Id, bool IsValid>
constexpr bool check_rule() {
  static_assert(IsValid, "the rule of this Id does not meet the requirement below");
  return IsValid;
}

template <std::size_t Row>
constexpr bool is_past_the_table() {
  if constexpr (Row == kTable.size()) {
    return true;
  } else {
    return check_rule<id_of_row<Row>(), false>();
  }
}

template <bool (*Requirement)(const Rule&)>
constexpr bool every_row() {
  return is_past_the_table<guard::first_failing(kTable, Requirement)>();
}

static_assert(every_row<guard::has_kebab_case_id>());
static_assert(every_row<guard::has_reason_and_instead_without_full_stop>());
static_assert(every_row<guard::has_public_source>());
static_assert(every_row<guard::has_versions_that_exist>());
static_assert(every_row<guard::denies_or_warns>());
static_assert(every_row<guard::has_predicates_of_one_type>());
static_assert(every_row<guard::has_valid_field>());
static_assert(every_row<guard::has_field_that_fits_a_path>());
static_assert(is_past_the_table<guard::first_overlapping(kTable)>(),
              "two rows of a rule have the same predicate");

}  // namespace

std::span<const Rule> rules() { return kTable; }

bool is_removable(std::string_view rule_id) {
  return std::ranges::any_of(
      kTable, [&](const Rule& rule) { return rule.id == rule_id && rule.forbids_with_spec_os; });
}

bool is_refused_with_spec_os(std::string_view rule_id) {
  static const std::set<std::string_view> kRefused = [] {
    std::set<std::string_view> ids;
    for (const Rule& rule : kTable) {
      if (rule.forbids_with_spec_os || rule.needs_manual_fix) ids.insert(rule.id);
    }
    return ids;
  }();
  return kRefused.contains(rule_id);
}

bool required_by_restricted(std::string_view rule_id) {
  return std::ranges::any_of(
      kTable, [&](const Rule& rule) { return rule.id == rule_id && rule.required_by_restricted; });
}

}  // namespace winadmit
