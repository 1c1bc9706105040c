// The variables of an admission policy that read a pod: what the expressions of rules, advice and
// placement are written on. They are the twin of policy/pod.
#pragma once

#include <vector>

#include "policy/cel/cel_text.hpp"
#include "policy/judge/settings.hpp"

namespace winadmit {

/// `views` is a list of maps: of the pod (or the pod template) in the object, and of that in the
/// old object if there is one. A view has these members:
///
///   spec, securityContext, annotations, tolerations, volumes   of the pod; empty if absent
///   containers, mainContainers, ephemeralContainers            all; without ephemeral ones; these
///   isHostProcess, pipes        every container is a HostProcess container; its named pipes
///   linux, windows              whether a scheduling signal names the OS
///   hasWindowsOptions, hasHostProcess, excludesLinux, terms, builds   as in policy/pod/target.hpp
///
/// `systems` has the OS of each of the first two, as in Target::os; '' is none. `os` is the one
/// that counts. `pod` is the view of a Windows pod, and `old` that of what it was before, for the
/// rules: they are empty for any other pod.
/// They read the parameters of the policy: the ConfigMap `params`.
std::vector<CelVariable> pod_variables(const Settings& settings);

/// The keys of the ConfigMap that pod_variables() reads.
inline constexpr std::string_view kDefaultOsParam = "defaultOs";
inline constexpr std::string_view kWindowsRuntimeClassesParam = "windowsRuntimeClasses";

/// The lines of a parameter, as a list; [''] if it is missing.
std::string lines_of_param(std::string_view key);

/// The pod template of an object, or the object itself.
std::string template_of(std::string_view object);

}  // namespace winadmit
