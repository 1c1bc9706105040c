// The table: every rule that winadmit knows, and the only place where a rule exists. The rows are
// in one header a group, each short enough to read; here they become one array, which the compiler
// checks.
#include <algorithm>
#include <array>
#include <cstddef>

#include "policy/rules/rule.hpp"
#include "policy/rules/rule_guard.hpp"
#include "policy/rules/rules_annotations.hpp"
#include "policy/rules/rules_container.hpp"
#include "policy/rules/rules_container_security.hpp"
#include "policy/rules/rules_pod.hpp"
#include "policy/rules/rules_pod_security.hpp"
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
    concatenate(table::kPodRules, table::kPodSecurityRules, table::kContainerSecurityRules,
                table::kContainerRules, table::kVolumeRules, table::kAnnotationRules);

template <typename Holds>
constexpr std::size_t first_failing(Holds holds) {
  return guard::first_failing(kTable, holds);
}

constexpr std::size_t kNone = kTable.size();

static_assert(first_failing(guard::has_kebab_case_id) == kNone, "ids are kebab-case");
static_assert(first_failing(guard::has_texts) == kNone, "reason and instead are clauses");
static_assert(first_failing(guard::has_public_source) == kNone, "the source is a public URL");
static_assert(first_failing(guard::has_versions) == kNone, "the version range is not empty");
static_assert(first_failing(guard::has_action_of_a_rule) == kNone, "a row denies or warns");
static_assert(first_failing(guard::has_one_shape) == kNone, "predicates agree on the JSON type");
static_assert(first_failing(guard::has_legal_field) == kNone, "the field is a path");
static_assert(first_failing(guard::has_field_that_fits_a_path) == kNone, "the field is not deep");
static_assert(guard::all_are_disjoint(kTable), "no two rows speak of one value");

}  // namespace

std::span<const Rule> rules() { return kTable; }

bool is_removable(std::string_view rule_id) {
  return std::ranges::any_of(
      kTable, [&](const Rule& rule) { return rule.id == rule_id && rule.forbids_with_spec_os; });
}

}  // namespace winadmit
