// The variables of an admission policy that read a pod: what the expressions of rules and
// placement are written on. They are the twin of policy/pod.
#pragma once

#include <vector>

#include "export/cel/cel_text.hpp"
#include "policy/judge/settings.hpp"
#include "policy/pod/os.hpp"

namespace winadmit {

/// `views` is a list of maps: of the pod (or the pod template) in the object, and of that in the
/// old object if there is one. A view has these members:
///
///   spec, securityContext, annotations, tolerations   of the pod; empty if absent
///   containers, nonEphemeralContainers, ephemeralContainers    all; without ephemeral ones; these
///   isHostProcess, pipes        every container is a HostProcess container; its named pipes
///   linux, windows              whether a scheduling signal names the OS
///   hasWindowsOptions, hasHostProcess, builds   as in policy/pod/target.hpp
///   namesNode                   the pod has a nodeName or selects a hostname
///
/// `podOs` has the OS of each view, as in Target::os; '' is none. `os` is the one
/// that counts. `pod` is the view of a Windows pod, and `old` that of what it was before, for the
/// rules: they are empty for any other pod.
/// A pod without a signal has the OS `default_os`.
///
/// What the platform and the configuration set is in variables of its own, as JSON literals, and
/// every other text is the same for all: the chart puts its values in their place. These are
/// windowsLabels ({"KEY":{"VALUE":"BUILD"}}), windowsLabelKeys and windowsRuntimeClasses.
std::vector<CelVariable> pod_variables(const Settings& settings, Os default_os);

/// The pod template of an object, or the object itself.
std::string template_of(std::string_view object);

}  // namespace winadmit
