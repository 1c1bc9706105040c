#include "policy/cel/affinity_terms.hpp"

#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "policy/cel/cel_text.hpp"
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
std::string allows(std::string_view os, const WindowsLabels& labels) {
  std::string other_labels = fill("!(e.key == $build && e.operator in ['Gt', 'Lt'])",
                                  {{"$build", cel_string(kWindowsBuildLabel)}});
  if (os == "linux") {
    other_labels = fill("(e.key != $build || e.operator in ['DoesNotExist', 'NotIn'])",
                        {{"$build", cel_string(kWindowsBuildLabel)}});
    if (!labels.empty()) {
      other_labels += fill(
          " &&\n        !(e.key in $labels && e.operator == 'In' &&\n"
          "          $allowed.all(v, v in $labels[e.key]))",
          {{"$labels", labels_literal(labels)}, {"$allowed", allowed_values()}});
    }
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
std::string builds(const WindowsLabels& labels) {
  std::string by_label =
      fill("exprs.filter(e, e.key == $build && e.operator == 'In').map(e, $allowed)",
           {{"$build", cel_string(kWindowsBuildLabel)}, {"$allowed", allowed_values()}});
  if (!labels.empty()) {
    std::vector<std::string> keys;
    for (const auto& [key, values] : labels) keys.push_back(key);
    by_label += fill(
        " +\n        $keys.map(key, exprs.filter(e, e.key == key && e.operator == 'In' &&\n"
        "          $allowed.all(v, $labels[key][?v].orValue('') != ''))"
        ".map(e, $allowed.map(v, $labels[key][v])))\n"
        "        .filter(lists, lists.size() > 0).map(lists, lists[0])",
        {{"$keys", cel_list(keys)},
         {"$labels", labels_literal(labels)},
         {"$allowed", allowed_values()}});
  }
  return "(" + by_label + " + [[]])[0]";
}

/// Whether e requires another architecture than amd64.
std::string requires_other_arch() {
  return fill(
      "e.key in $keys && (e.operator == 'In' ? !('amd64' in e.?values.orValue([])) :\n"
      "          e.operator == 'NotIn' ? 'amd64' in e.?values.orValue([]) :\n"
      "          e.operator == 'DoesNotExist' && e.key == $key)",
      {{"$keys", cel_list(std::vector{kArchLabel, kBetaArchLabel})},
       {"$key", cel_string(kArchLabel)}});
}

}  // namespace

std::string labels_literal(const WindowsLabels& labels) { return nlohmann::json(labels).dump(); }

std::string affinity_terms(const Settings& settings) {
  const WindowsLabels& labels = settings.target.windows_labels;
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
      "      'otherArch': dyn(exprs.exists(e, $otherArch)),\n"
      "      'builds': dyn($builds)})[0])\n"
      "    .filter(term, term.linux || term.windows)",
      {{"$satisfiable", is_satisfiable()},
       {"$linux", allows("linux", labels)},
       {"$windows", allows("windows", labels)},
       {"$otherArch", requires_other_arch()},
       {"$builds", builds(labels)}});
}

}  // namespace winadmit
