#include "export/cel/pod_view.hpp"

#include <nlohmann/json.hpp>
#include <string_view>

#include "export/cel/affinity_terms.hpp"
#include "policy/pod/labels.hpp"
#include "policy/pod/pod.hpp"

namespace winadmit {
namespace {

/// Whether the nodeSelector of `spec` names an OS.
std::string selects(std::string_view os) {
  return fill("$keys.exists(key, spec.?nodeSelector[?key].orValue('') == $os)",
              {{"$keys", cel_list(std::vector{kOsLabel, kBetaOsLabel})}, {"$os", cel_string(os)}});
}

/// Whether the nodeSelector of `spec` or its affinity has only Windows nodes.
std::string excludes_linux() {
  return selects("windows") + " ||\n      " + cel_string(kWindowsBuildLabel) +
         " in spec.?nodeSelector.orValue({}) ||\n"
         "      variables.windowsLabels.exists(key,\n"
         "        spec.?nodeSelector[?key].orValue('') in variables.windowsLabels[key]) ||\n"
         "      terms.size() > 0 && terms.all(term, !term.linux)";
}

/// Lists of builds, of which each is an alternative.
std::string builds_of_pod() {
  return fill(
      "$build in spec.?nodeSelector.orValue({}) ? [[spec.nodeSelector[$build]]] :\n"
      "      [variables.windowsLabelKeys.map(key,\n"
      "        variables.windowsLabels[key][?spec.?nodeSelector[?key].orValue('')].orValue(''))\n"
      "        .filter(build, build != '').map(build, [build])].map(selected,\n"
      "        selected.size() > 0 ? selected :\n"
      "        terms.all(term, !term.windows || term.builds.size() > 0) ?\n"
      "        terms.filter(term, term.windows).map(term, term.builds) : [])[0]",
      {{"$build", cel_string(kWindowsBuildLabel)}});
}

/// The list of `spec`, which may be missing or null.
std::string list_in_spec(std::string_view name) {
  return fill("optional.ofNonZeroValue(spec.?$name.orValue([])).orValue([])",
              {{"$name", std::string(name)}});
}

std::string view() {
  return fill(
      R"(variables.indexes.map(i, [variables.specs[i]].map(spec,
  [variables.terms[i]].map(terms, [variables.containers[i]].map(containers, {
    'spec': dyn(spec),
    'securityContext': dyn(spec.?securityContext.orValue({})),
    'annotations': dyn(variables.templates[i].?metadata.?annotations.orValue({})),
    'tolerations': dyn($tolerations),
    'containers': dyn(containers),
    'nonEphemeralContainers': dyn(variables.nonEphemeralContainers[i]),
    'ephemeralContainers': dyn($ephemeral),
    'isHostProcess': dyn(variables.isHostProcess[i]),
    'pipes': dyn(!variables.isHostProcess[i] ? [] :
      $volumes
      .filter(v, v.?hostPath.?path.orValue('').startsWith($pipe)).map(v, v.name)),
    'builds': dyn($builds),
    'linux': dyn(spec.?os.?name.orValue('') == 'linux' || $selectsLinux),
    'selectsLinux': dyn($selectsLinux),
    'windows': dyn(spec.?os.?name.orValue('') == 'windows' ||
      spec.?runtimeClassName.orValue('') in variables.windowsRuntimeClasses ||
      $excludes),
    'namesNode': dyn(spec.?nodeName.orValue('') != '' ||
      spec.?nodeSelector[?$hostname].hasValue()),
    'hasWindowsOptions': dyn($options),
    'hasHostProcess': dyn(
      spec.?securityContext.?windowsOptions.?hostProcess.orValue(false) ||
      variables.nonEphemeralContainers[i].exists(c,
        c.?securityContext.?windowsOptions.?hostProcess.orValue(false)))
  })[0])[0])[0]))",
      {{"$tolerations", list_in_spec("tolerations")},
       {"$volumes", list_in_spec("volumes")},
       {"$ephemeral", list_in_spec("ephemeralContainers")},
       {"$pipe", cel_string(kNamedPipePrefix)},
       {"$hostname", cel_string(kHostnameLabel)},
       {"$builds", builds_of_pod()},
       {"$selectsLinux", selects("linux") + " ||\n      "
                                            "terms.size() > 0 && terms.all(term, !term.windows)"},
       {"$excludes", excludes_linux()},
       {"$options",
        "spec.?securityContext.?windowsOptions.orValue({}).size() > 0 ||\n"
        "      variables.nonEphemeralContainers[i].exists(c,\n"
        "        c.?securityContext.?windowsOptions.orValue({}).size() > 0)"}});
}

/// The OS of each view, by the precedence of find_target().
std::string os_of_each(Os default_os) {
  return fill(R"(variables.views.map(view,
  view.linux ?
    (view.windows || view.hasHostProcess ? 'conflict' : 'linux') :
  view.windows || view.hasWindowsOptions ? 'windows' : $default))",
              {{"$default", cel_string(default_os == Os::none ? "" : to_string(default_os))}});
}

}  // namespace

std::string template_of(std::string_view object) {
  return fill(
      "$o.?spec.?jobTemplate.?spec.?template.or($o.?spec.?template).or($o.?template).orValue($o)",
      {{"$o", std::string(object)}});
}

std::vector<CelVariable> pod_variables(const Settings& settings, Os default_os) {
  std::vector<std::string_view> keys;  // CEL reads the keys of a map in no order
  for (const auto& [key, values] : settings.target.windows_labels) keys.push_back(key);
  return {
      {"windowsLabels", nlohmann::json(settings.target.windows_labels).dump()},
      {"windowsLabelKeys", nlohmann::json(keys).dump()},
      {"windowsRuntimeClasses", nlohmann::json(settings.target.windows_runtime_classes).dump()},
      {"templates",
       "(oldObject == null ? [dyn(object)] : [dyn(object), dyn(oldObject)]).map(held,\n  " +
           template_of("held") + ")"},
      {"indexes", "variables.templates.size() == 1 ? [0] : [0, 1]"},
      {"specs", "variables.templates.map(held, held.?spec.orValue({}))"},
      {"terms", "variables.specs.map(spec,\n  " + affinity_terms() + ")"},
      {"nonEphemeralContainers", "variables.specs.map(spec,\n  " + list_in_spec("containers") +
                                     " +\n  " + list_in_spec("initContainers") + ")"},
      {"containers",
       "variables.indexes.map(i, variables.nonEphemeralContainers[i] + "
       "[variables.specs[i]].map(spec,\n  " +
           list_in_spec("ephemeralContainers") + ")[0])"},
      {"isHostProcess",
       "variables.indexes.map(i, variables.containers[i].size() > 0 && "
       "variables.containers[i].all(c,\n"
       "  c.?securityContext.?windowsOptions.?hostProcess\n"
       "  .or(variables.specs[i].?securityContext.?windowsOptions.?hostProcess).orValue(false)))"},
      {"views", view()},
      // An existing pod keeps its OS.
      {"keepsOs", "request.?subResource.orValue('') in ['ephemeralcontainers', 'resize']"},
      {"requestedOs", os_of_each(default_os)},
      {"podOs",
       "variables.keepsOs ? [variables.requestedOs[1], variables.requestedOs[1]] : "
       "variables.requestedOs"},
      {"os", "variables.podOs[0]"},
      {"emptyView",
       "{'spec': dyn({}), 'securityContext': dyn({}), 'annotations': dyn({}), 'tolerations': "
       "dyn([]),\n"
       "  'containers': dyn([]), 'nonEphemeralContainers': dyn([]),\n"
       "  'ephemeralContainers': dyn([]), 'isHostProcess': dyn(false), 'pipes': dyn([])}"},
      {"pod", "variables.os == 'windows' ? variables.views[0] : variables.emptyView"},
      {"old",
       "oldObject != null && variables.os == 'windows' && variables.podOs[1] == 'windows' ?\n"
       "  variables.views[1] : variables.emptyView"},
  };
}

}  // namespace winadmit
