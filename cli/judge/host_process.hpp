// What the API server refuses of HostProcess pods. The webhooks leave it to the API server.
#pragma once

#include "policy/judge/finding.hpp"
#include "policy/pod/pod.hpp"
#include "policy/rules/version.hpp"

namespace winadmit::cli {

/// Warns of a pod that has both HostProcess and other containers, of one whose container
/// contradicts it, and of one without hostNetwork (k8s.io/kubernetes pkg/apis/core/validation,
/// validateWindowsHostProcessPod).
void advise_on_host_process(const Pod& pod, Version kubernetes, FindingSink& findings);

}  // namespace winadmit::cli
