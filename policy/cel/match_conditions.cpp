#include "policy/cel/match_conditions.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <string_view>

#include "policy/judge/advice.hpp"
#include "policy/pod/image.hpp"
#include "policy/pod/pod.hpp"

namespace winadmit {
namespace {

std::string cel_string(std::string_view text) {
  std::string literal = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') literal += '\\';
    literal += c;
  }
  return literal + '\'';
}

template <class Range>
std::string list_of(const Range& texts) {
  std::string list = "[";
  for (const auto& text : texts) {
    if (list.size() > 1) list += ", ";
    list += cel_string(text);
  }
  return list + ']';
}

/// "a.b.c" to "has(a.b) && has(a.b.c)"; with `root` "a" known to be there.
std::string guarded(std::string root, std::span<const std::string_view> keys) {
  std::string guards;
  for (const std::string_view key : keys) {
    root += '.';
    root += key;
    guards += (guards.empty() ? "has(" : " && has(") + root + ')';
  }
  return guards;
}

std::string joined(std::string root, std::span<const std::string_view> keys) {
  for (const std::string_view key : keys) (root += '.') += key;
  return root;
}

// --- The signals of policy/pod/target.cpp, each as a clause on `pod`, which has a spec. ---

constexpr std::string_view kSpecOs =
    "has(pod.spec.os) && has(pod.spec.os.name) && pod.spec.os.name == 'windows'";

std::string node_selector() {
  return "has(pod.spec.nodeSelector) && (" + cel_string(kWindowsBuildLabel) +
         " in pod.spec.nodeSelector ||\n    " + list_of(std::array{kOsLabel, kBetaOsLabel}) +
         ".exists(label, label in pod.spec.nodeSelector && pod.spec.nodeSelector[label] == "
         "'windows'))";
}

/// Any requirement on an OS label, In [linux] alone apart, or on the build label. Which terms can
/// match at all, and what they come to together, is left to the server.
std::string node_affinity() {
  const std::string required =
      "pod.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution";
  return "has(pod.spec.affinity) && has(pod.spec.affinity.nodeAffinity) && has(" + required +
         ") &&\n    has(" + required + ".nodeSelectorTerms) && " + required +
         ".nodeSelectorTerms != null &&\n    " + required +
         ".nodeSelectorTerms.exists(term, has(term.matchExpressions) &&\n"
         "      term.matchExpressions.exists(e, has(e.key) && (e.key == " +
         cel_string(kWindowsBuildLabel) + " ||\n        e.key in " +
         list_of(std::array{kOsLabel, kBetaOsLabel}) +
         " && !(has(e.operator) && e.operator == 'In' && has(e.values) &&\n"
         "          e.values.all(value, value == 'linux')))))";
}

std::string runtime_class(const Settings& settings) {
  return "has(pod.spec.runtimeClassName) && pod.spec.runtimeClassName in " +
         list_of(settings.target.windows_runtime_classes);
}

constexpr std::string_view kPodWindowsOptions =
    "has(pod.spec.securityContext) && has(pod.spec.securityContext.windowsOptions)";

// --- The hints of policy/judge/advice.cpp. ---

/// A toleration of a configured taint by its own key and value.
std::string taint_named(const Settings& settings) {
  std::map<std::string_view, std::set<std::string_view>> values;
  const auto collect = [&](const std::vector<Toleration>& set) {
    for (const Toleration& taint : set) values[taint.key].insert(taint.value);
  };
  collect(settings.tolerations);
  for (const auto& [build, set] : settings.tolerations_by_build) collect(set);
  std::string any;
  for (const auto& [key, of_key] : values) {
    if (!any.empty()) any += " ||\n      ";
    any +=
        "t.key == " + cel_string(key) + " && (has(t.value) ? t.value : '') in " + list_of(of_key);
  }
  if (any.empty()) return "";
  return "has(pod.spec.tolerations) && pod.spec.tolerations.exists(t, has(t.key) && (\n      " +
         any + "))";
}

/// An image of a repository that holds Windows images only, as one regular expression.
std::string windows_image() {
  std::string any;
  for (const std::string_view repository : windows_only_repositories()) {
    if (!any.empty()) any += '|';
    for (const char c : repository) any += c == '.' ? std::string("[.]") : std::string(1, c);
    if (!repository.ends_with('/')) any += "($|[:@])";
  }
  return "has(c.image) && c.image.matches(" + cel_string("^(" + any + ")") + ")";
}

bool says_hints(const Settings& settings) {
  const auto set = settings.actions.find(kAdviceHint);
  return set == settings.actions.end() || set->second != Action::allow;
}

std::string in_containers(bool hints) {
  std::string lists;
  for (const std::string_view list : kContainerLists) {
    if (!lists.empty()) lists += ",\n     ";
    const std::string path = "pod.spec." + std::string(list);
    lists += "has(" + path + ") && " + path + " != null ? " + path + " : []";
  }
  std::string of_container = "has(c.securityContext) && has(c.securityContext.windowsOptions)";
  if (hints) of_container += " ||\n      " + windows_image();
  return "[" + lists + "].exists(list, list.exists(c,\n      " + of_container + "))";
}

std::string any_sign(const Settings& settings) {
  const bool hints = says_hints(settings);
  std::vector<std::string> clauses = {std::string(kSpecOs), node_selector(), node_affinity()};
  if (!settings.target.windows_runtime_classes.empty()) clauses.push_back(runtime_class(settings));
  clauses.emplace_back(kPodWindowsOptions);
  if (hints) clauses.push_back(taint_named(settings));
  clauses.push_back(in_containers(hints));
  std::erase(clauses, "");
  std::string any;
  for (const std::string& clause : clauses) {
    any += (any.empty() ? "    " : " ||\n    ") + clause;
  }
  return any;
}

/// What holds metadata and spec in an object of any kind that is no pod, as a list of at most one.
std::string template_in_workload() {
  std::vector<std::span<const std::string_view>> holders;
  for (const PodKind& kind : pod_kinds()) {
    const auto same = [&](auto template_path) {
      return std::ranges::equal(template_path, kind.template_path);
    };
    if (!kind.is_pod() && std::ranges::none_of(holders, same))
      holders.push_back(kind.template_path);
  }
  std::string choice;
  for (const auto template_path : holders) {
    choice += guarded("held", template_path) + " ? [" + joined("held", template_path) + "] :\n    ";
  }
  return "(" + choice + "[])";
}

}  // namespace

MatchCondition changes_something() {
  return {"changes-something",
          "oldObject == null || !(has(object.spec) && has(oldObject.spec)) ||\n"
          "object.spec != oldObject.spec ||\n"
          "(has(object.metadata.annotations) ? object.metadata.annotations : {}) !=\n"
          "  (has(oldObject.metadata.annotations) ? oldObject.metadata.annotations : {})"};
}

MatchCondition may_be_windows(const Settings& settings, bool in_workloads) {
  const std::string of_pod = "has(pod.spec) && (\n" + any_sign(settings) + ")";
  std::string expression = "[object, oldObject].exists(";
  if (in_workloads) {
    expression +=
        "held, held != null &&\n  " + template_in_workload() + ".exists(pod, " + of_pod + "))";
  } else {
    expression += "pod, pod != null && " + of_pod + ")";
  }
  return {"may-be-windows", std::move(expression)};
}

}  // namespace winadmit
