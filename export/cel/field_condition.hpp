// The CEL condition of a row on its field.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "export/cel/cel_finding.hpp"
#include "policy/rules/field_pattern.hpp"
#include "policy/rules/rule.hpp"

namespace winadmit {

/// What one finding of a row looks for: a value that one of `any_of` matches and `except` does not.
struct RulePart {
  Action action = Action::deny;
  std::vector<const Predicate*> any_of;
  const Predicate* except = nullptr;
};

/// Whether the entry $now of a list is the entry $before of the old one, as
/// FieldPath::add_identity() finds it. Empty for projected.sources, which are compared by value.
std::string_view is_same_entry(std::string_view list);

/// Writes the condition on a row's field: from the object that holds it down to the value.
class FieldCondition {
 public:
  /// `rule` and `part` must outlive this.
  FieldCondition(const Rule& rule, const RulePart& part, Judged judged)
      : rule_(rule), part_(part), judged_(judged) {}

  /// One level of lists that has been entered.
  struct Level {
    std::string list_before;    // the list in the old pod
    std::string_view identity;  // is_same_entry()
  };

  /// For the steps of the field below the values `now` and `before`.
  std::string write(const std::string& now, const std::string& before,
                    std::span<const FieldStep> steps, const std::vector<Level>& levels) const;

  /// The conditions of the row on a pod, or "".
  std::string conditions(std::string_view pod) const;

 private:
  std::string leaf(const std::string& now, const std::string& before,
                   const std::vector<Level>& levels) const;

  /// Whether the same value was forbidden in the old pod.
  std::string was_there(const std::string& now, const std::string& before,
                        std::vector<Level> levels) const;
  std::string predicates(const std::string& value, std::string_view pod,
                         std::string_view container) const;

  const Rule& rule_;
  const RulePart& part_;
  Judged judged_;
};

}  // namespace winadmit
