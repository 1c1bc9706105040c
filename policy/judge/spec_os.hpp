// How placement and `winadmit fix` set spec.os.name.
#pragma once

#include <string>

#include "policy/judge/patch.hpp"
#include "policy/judge/settings.hpp"
#include "policy/judge/validate.hpp"
#include "policy/pod/pod.hpp"
#include "policy/pod/target.hpp"

namespace winadmit {

/// Whether placement of a new Windows pod may set spec.os.name: the settings ask for it, the pod
/// has none, and it may get the node selector. The kubelet of another OS would refuse the pod.
bool may_set_spec_os(const Pod& pod, const Target& target, const Settings& settings);

/// The first field that the API server would refuse if spec.os.name were windows, and that is left
/// to the author: "spec.hostPID". Empty if there is none.
std::string first_field_refused_with_spec_os(const Pod& pod, const Validator& validator,
                                             const Settings& settings);

struct SpecOsPatch {
  Patch patch;
  bool leaves_denials;  // of fields that are not removable
};

/// Sets spec.os.name, and removes what the API server would then refuse. The patch is for
/// remove_emptied_capabilities().
SpecOsPatch make_spec_os_patch(const Pod& pod, const Validator& validator);

}  // namespace winadmit
