#include "export/cel/match_conditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string_view>

#include "export/cel/cel_text.hpp"
#include "policy/pod/image.hpp"
#include "policy/pod/pod.hpp"

namespace winadmit {
namespace {

/// "has(a.b) && has(a.b.c)" for the root "a" and the keys "b" and "c".
std::string has_path(std::string root, std::span<const std::string_view> keys) {
  std::string guards;
  for (const std::string_view key : keys) {
    root += '.';
    root += key;
    guards += (guards.empty() ? "has(" : " && has(") + root + ')';
  }
  return guards;
}

/// "a.b.c" for the root "a" and the keys "b" and "c".
std::string select_path(std::string_view root, std::span<const std::string_view> keys) {
  return fmt::format("{}.{}", root, fmt::join(keys, "."));
}

// The API server bounds the cost of a condition (k8s.io/apiserver pkg/apis/cel, PerCallLimit). A
// pod with more than these is a large one.
constexpr int kMaxTolerations = 200;
constexpr int kMaxTerms = 10;       // of a required node affinity; the same of their requirements
constexpr int kMaxContainers = 40;  // of a list
constexpr int kMaxImageSize = 255;  // bytes

/// "LIST.size() > MAX || ", which costs 1; empty if large pods are evaluated.
std::string is_large_or(std::string_view list, int max, Engine engine) {
  return engine == Engine::webhook ? fmt::format("{}.size() > {} || ", list, max) : "";
}

// Clauses on the variable `pod`, which has a spec.

constexpr std::string_view kSpecOs =
    "has(pod.spec.os) && has(pod.spec.os.name) && pod.spec.os.name == 'windows'";

// What the configuration sets is a JSON literal, which CEL reads as a map or a list, and the text
// around it is the same for every configuration: the chart puts its values in these places.

/// Labels of Windows nodes: {"KEY":["VALUE",...]}.
std::string windows_labels(const Settings& settings) {
  nlohmann::json literal = nlohmann::json::object();
  for (const auto& [key, values] : settings.target.windows_labels) {
    nlohmann::json& of_key = literal[key] = nlohmann::json::array();
    for (const auto& [value, build] : values) of_key.push_back(value);
  }
  return literal.dump();
}

/// Taints of Windows nodes: {"KEY":["VALUE",...]}.
std::string windows_taints(const Settings& settings) {
  std::map<std::string_view, std::set<std::string_view>> values;
  const auto collect = [&](const std::vector<Toleration>& set) {
    for (const Toleration& taint : set) values[taint.key].insert(taint.value);
  };
  collect(settings.tolerations);
  for (const auto& [build, set] : settings.tolerations_by_build) collect(set);
  nlohmann::json literal = nlohmann::json::object();
  for (const auto& [key, of_key] : values) literal[std::string(key)] = of_key;
  return literal.dump();
}

/// ["NAME",...]
std::string windows_runtime_classes(const Settings& settings) {
  return nlohmann::json(settings.target.windows_runtime_classes).dump();
}

std::string node_selector(const Settings& settings) {
  const std::string labels = windows_labels(settings);
  return "has(pod.spec.nodeSelector) && (" + cel_string(kWindowsBuildLabel) +
         " in pod.spec.nodeSelector ||\n    " + cel_list(std::array{kOsLabel, kBetaOsLabel}) +
         ".exists(label, label in pod.spec.nodeSelector && "
         "pod.spec.nodeSelector[label] == 'windows') ||\n    " +
         labels +
         ".exists(label, label in pod.spec.nodeSelector &&\n"
         "      pod.spec.nodeSelector[label] in " +
         labels + "[label]))";
}

/// A requirement on an OS label other than In [linux], on the build label, or on a label of Windows
/// nodes with a value of theirs. The server evaluates the terms together.
std::string node_affinity(const Settings& settings, Engine engine) {
  constexpr std::string_view kRequired =
      "pod.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution";
  const std::string terms = std::string(kRequired) + ".nodeSelectorTerms";
  const std::string many_values = is_large_or("e.values", kMaxTerms, engine);
  const std::string may_have_many = many_values.empty() ? "" : "has(e.values) && " + many_values;
  return fill(
      "has(pod.spec.affinity) && has(pod.spec.affinity.nodeAffinity) && has($required) &&\n"
      "    has($terms) && $terms != null &&\n    (" +
          is_large_or(terms, kMaxTerms, engine) +
          "$terms.exists(term, has(term.matchExpressions) &&\n      (" +
          is_large_or("term.matchExpressions", kMaxTerms, engine) +
          "term.matchExpressions.exists(e, has(e.key) && (e.key == $build ||\n"
          "        e.key in $os && (" +
          may_have_many +
          "!(has(e.operator) && e.operator == 'In' && has(e.values) &&\n"
          "          e.values.all(value, value == 'linux'))) ||\n"
          "        e.key in $labels && has(e.values) && (" +
          many_values + "e.values.exists(value, value in $labels[e.key])))))))",
      {{"$required", std::string(kRequired)},
       {"$terms", terms},
       {"$build", cel_string(kWindowsBuildLabel)},
       {"$os", cel_list(std::array{kOsLabel, kBetaOsLabel})},
       {"$labels", windows_labels(settings)}});
}

std::string runtime_class(const Settings& settings) {
  return "has(pod.spec.runtimeClassName) && pod.spec.runtimeClassName in " +
         windows_runtime_classes(settings);
}

constexpr std::string_view kWindowsOptionsOfPod =
    "has(pod.spec.securityContext) && has(pod.spec.securityContext.windowsOptions)";

/// The clause for a signal; empty where the clause of another signal includes it. The
/// windowsOptions of containers are in containers().
std::string clause_for(Signal signal, const Settings& settings, Engine engine) {
  switch (signal) {
    case Signal::spec_os:
      return std::string(kSpecOs);
    case Signal::node_selector:
      return node_selector(settings);
    case Signal::node_affinity:
      return node_affinity(settings, engine);
    case Signal::runtime_class:
      return runtime_class(settings);
    case Signal::windows_options:
      return std::string(kWindowsOptionsOfPod);
    case Signal::beta_node_selector:   // in node_selector
    case Signal::build_node_selector:  // in node_selector
    case Signal::label_node_selector:  // in node_selector
    case Signal::host_process:         // in windows_options
      return "";
  }
  return "";
}

/// A hint: a toleration with the key and the value of a configured taint.
std::string toleration_hint(const Settings& settings) {
  return fill("has(pod.spec.tolerations) && (" +
                  is_large_or("pod.spec.tolerations", kMaxTolerations, Engine::webhook) +
                  "pod.spec.tolerations.exists(t, has(t.key) &&\n"
                  "      t.key in $taints && (has(t.value) ? t.value : '') in $taints[t.key]))",
              {{"$taints", windows_taints(settings)}});
}

/// A label of the pod that the kubelet of a Linux node refuses.
std::string label_hint() {
  return fmt::format(
      "has(pod.metadata) && has(pod.metadata.labels) &&\n"
      "      {0} in pod.metadata.labels && pod.metadata.labels[{0}] == 'windows'",
      cel_string(kOsLabel));
}

/// The longest text with which all of them begin.
std::string common_start(std::span<const std::string_view> texts) {
  std::string_view start = texts.front();
  for (const std::string_view text : texts) {
    while (!text.starts_with(start)) start.remove_suffix(1);
  }
  return std::string(start);
}

/// A hint: an image of a Windows-only repository. Most images are excluded without the regular
/// expression, which costs a hundred times more: the API server bounds the cost of a condition.
std::string image_hint() {
  std::string any;
  for (const std::string_view repository : windows_only_repositories()) {
    if (!any.empty()) any += '|';
    any += pattern_of_text(repository);
    if (!repository.ends_with('/')) any += "($|[:@])";
  }
  return fill("has(c.image) && c.image.startsWith($start) && (" +
                  is_large_or("c.image", kMaxImageSize, Engine::webhook) + "c.image.matches($any))",
              {{"$start", cel_string(common_start(windows_only_repositories()))},
               {"$any", cel_string("^(" + any + ")")}});
}

std::string containers(Engine engine) {
  std::string lists;
  for (const std::string_view list : kContainerLists) {
    if (!lists.empty()) lists += ",\n     ";
    lists += fmt::format("has({0}) && {0} != null ? {0} : []", fmt::format("pod.spec.{}", list));
  }
  return "[" + lists + "].exists(list, " + is_large_or("list", kMaxContainers, engine) +
         "list.exists(c,\n"
         "      has(c.securityContext) && has(c.securityContext.windowsOptions)" +
         (engine == Engine::webhook ? " ||\n      " + image_hint() : "") + "))";
}

std::string any_signal_or_hint(const Settings& settings, Engine engine) {
  std::vector<std::string> clauses;
  clauses.reserve(kSignalFields.size() + 3);
  for (std::size_t i = 0; i < kSignalFields.size(); ++i) {
    clauses.push_back(clause_for(static_cast<Signal>(i), settings, engine));
  }
  if (engine == Engine::webhook) {
    clauses.push_back(toleration_hint(settings));
    clauses.push_back(label_hint());
  }
  clauses.push_back(containers(engine));
  std::erase(clauses, "");
  return fmt::format("    {}", fmt::join(clauses, " ||\n    "));
}

/// The pod or the pod template in `held`, as a list of one.
std::string pod_in_held() {
  std::vector<std::span<const std::string_view>> paths;
  for (const PodKind& kind : pod_kinds()) {
    const auto is_same = [&](auto path) { return std::ranges::equal(path, kind.template_path); };
    if (!kind.is_pod() && std::ranges::none_of(paths, is_same)) paths.push_back(kind.template_path);
  }
  std::string choice;
  for (const auto path : paths) {
    choice += has_path("held", path) + " ? [" + select_path("held", path) + "] :\n    ";
  }
  return "(" + choice + "[held])";
}

}  // namespace

MatchCondition may_be_windows(const Settings& settings, bool in_workloads, Engine engine) {
  const std::string condition = "has(pod.spec) && (\n" + any_signal_or_hint(settings, engine) + ")";
  std::string expression = "[object, oldObject].exists(";
  if (in_workloads) {
    expression += "held, held != null &&\n  " + pod_in_held() + ".exists(pod, " + condition + "))";
  } else {
    expression += "pod, pod != null && " + condition + ")";
  }
  return {"may-be-windows", std::move(expression)};
}

MatchCondition selects_no_os(bool in_workloads) {
  const std::string pods = in_workloads ? pod_in_held() : "[held]";
  return {"selects-no-os",
          fill("![object].exists(held, $pods.exists(pod,\n"
               "  has(pod.spec) && has(pod.spec.nodeSelector) &&\n"
               "  $os.exists(label, label in pod.spec.nodeSelector)))",
               {{"$pods", pods}, {"$os", cel_list(std::array{kOsLabel, kBetaOsLabel})}})};
}

MatchCondition may_be_windows_by_default(const Settings& settings) {
  return {"may-be-windows-by-default",
          fill("!(has(object.spec) && (\n"
               "    has(object.spec.os) && has(object.spec.os.name) &&\n"
               "    object.spec.os.name == 'linux' ||\n"
               "    has(object.spec.nodeSelector) && $os.exists(label,\n"
               "      label in object.spec.nodeSelector &&\n"
               "      object.spec.nodeSelector[label] == 'linux'))) ||\n",
               {{"$os", cel_list(std::array{kOsLabel, kBetaOsLabel})}}) +
              may_be_windows(settings, /*in_workloads=*/false).expression};
}

}  // namespace winadmit
