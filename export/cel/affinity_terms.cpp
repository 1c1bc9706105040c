#include "export/cel/affinity_terms.hpp"

#include <string_view>
#include <utility>
#include <vector>

#include "export/cel/cel_text.hpp"
#include "policy/pod/labels.hpp"

namespace winadmit {
namespace {

constexpr std::string_view kInteger = "matches(r'^[+-]?[0-9]{1,18}$')";

/// Whether $value meets the requirement f.
std::string meets(std::string_view value) {
  return fill(
      "(f.operator == 'In' ? $value in f.?values.orValue([]) :\n"
      "        f.operator == 'NotIn' ? !($value in f.?values.orValue([])) :\n"
      "        f.operator == 'DoesNotExist' ? false :\n"
      "        f.operator == 'Gt' ? $value.$integer && f.values[0].$integer &&\n"
      "          int($value) > int(f.values[0]) :\n"
      "        f.operator == 'Lt' ? $value.$integer && f.values[0].$integer &&\n"
      "          int($value) < int(f.values[0]) : true)",
      {{"$value", std::string(value)}, {"$integer", std::string(kInteger)}});
}

/// The values of e, an `In`, that meet the other requirements on its key.
std::string allowed_values() {
  return "e.?values.orValue([]).filter(v, exprs.all(f, f.key != e.key ||\n      " + meets("v") +
         "))";
}

/// Whether a node can meet all `exprs`.
std::string is_satisfiable() {
  return fill(
      "exprs.all(e,\n"
      "      e.operator == 'In' ? $allowed.size() > 0 :\n"
      "      e.operator == 'Exists' ?\n"
      "        !exprs.exists(f, f.key == e.key && f.operator == 'DoesNotExist') :\n"
      "      e.operator in ['Gt', 'Lt'] ? e.values[0].$integer &&\n"
      "        !exprs.exists(f, f.key == e.key && f.operator == 'DoesNotExist') &&\n"
      "        (e.operator == 'Lt' || exprs.all(f, f.key != e.key || f.operator != 'Lt' ||\n"
      "          f.values[0].$integer && int(f.values[0]) - int(e.values[0]) > 1)) : true)",
      {{"$allowed", allowed_values()}, {"$integer", std::string(kInteger)}});
}

/// Whether nodes of an OS can meet the requirement e.
std::string allows(std::string_view os) {
  std::string other_labels = fill("!(e.key == $build && e.operator in ['Gt', 'Lt'])",
                                  {{"$build", cel_string(kWindowsBuildLabel)}});
  if (os == "linux") {
    other_labels = fill(
        "(e.key != $build || e.operator in ['DoesNotExist', 'NotIn']) &&\n"
        "        !(e.key in variables.windowsLabels && e.operator == 'In' &&\n"
        "          $allowed.all(v, v in variables.windowsLabels[e.key]))",
        {{"$build", cel_string(kWindowsBuildLabel)}, {"$allowed", allowed_values()}});
  }
  return fill(
      "exprs.all(e, e.key in $keys ?\n"
      "        (e.operator == 'In' ? $os in e.?values.orValue([]) :\n"
      "        e.operator == 'NotIn' ? !($os in e.?values.orValue([])) :\n"
      "        !(e.operator in ['DoesNotExist', 'Gt', 'Lt'])) :\n"
      "        $others)",
      {{"$keys", cel_list(std::vector{kOsLabel, kBetaOsLabel})},
       {"$os", cel_string(os)},
       {"$others", other_labels}});
}

/// The builds that the label of builds allows, else those that another label of Windows names.
std::string builds_of_term() {
  return fill(
      "(exprs.filter(e, e.key == $build && e.operator == 'In').map(e, $allowed) +\n"
      "        variables.windowsLabelKeys.map(key, exprs.filter(e, e.key == key &&\n"
      "          e.operator == 'In' &&\n"
      "          $allowed.all(v, variables.windowsLabels[key][?v].orValue('') != ''))\n"
      "          .map(e, $allowed.map(v, variables.windowsLabels[key][v])))\n"
      "        .filter(lists, lists.size() > 0).map(lists, lists[0]) + [[]])[0]",
      {{"$build", cel_string(kWindowsBuildLabel)}, {"$allowed", allowed_values()}});
}

}  // namespace

std::string affinity_terms() {
  return fill(
      "optional.ofNonZeroValue(spec.?affinity.?nodeAffinity"
      ".?requiredDuringSchedulingIgnoredDuringExecution\n"
      "    .?nodeSelectorTerms.orValue([])).orValue([])\n"
      "    .filter(term, term.size() > 0 &&\n"
      "      [term.?matchExpressions.orValue([]), term.?matchFields.orValue([])].all(exprs,\n"
      "      $satisfiable))\n"
      "    .map(term, [term.?matchExpressions.orValue([])].map(exprs, {\n"
      "      'linux': dyn($linux),\n"
      "      'windows': dyn($windows),\n"
      "      'builds': dyn($builds)})[0])\n"
      "    .filter(term, term.linux || term.windows)",
      {{"$satisfiable", is_satisfiable()},
       {"$linux", allows("linux")},
       {"$windows", allows("windows")},
       {"$builds", builds_of_term()}});
}

}  // namespace winadmit
