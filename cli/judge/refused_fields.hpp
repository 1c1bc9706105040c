// What the API server refuses by its own validation (k8s.io/kubernetes pkg/apis/core/validation),
// in its words. The webhooks leave it to the API server.
#pragma once

#include "policy/judge/finding.hpp"
#include "policy/pod/pod.hpp"
#include "policy/pod/target.hpp"
#include "policy/rules/version.hpp"

namespace winadmit::cli {

/// Adds a denial (kMalformedField) for each fault of a toleration: ValidateTolerations.
void refuse_tolerations(const Pod& pod, Version kubernetes, FindingSink& findings);

/// The same of a node selector: ValidateLabels.
void refuse_node_selector(const Pod& pod, FindingSink& findings);

/// The same of windowsOptions and, in a Windows pod, of stop signals:
/// validateWindowsSecurityContextOptions and validateStopSignal.
void refuse_windows_fields(const Pod& pod, const Target& target, Version kubernetes,
                           FindingSink& findings);

}  // namespace winadmit::cli
