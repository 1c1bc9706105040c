// Kinds that are probably a misspelled pod or workload: the API server refuses or ignores them.
#pragma once

#include <optional>
#include <string>

#include "cli/judge/manifest_finding.hpp"

namespace winadmit::cli {

/// "Pod (apiVersion v1)" for the kind `pod` or `Pods` of a group of Kubernetes, and "Deployment
/// (apiVersion apps/v1)" for a Deployment of v1. "" for a kind that is far from all of them, and
/// for one of a group of another project, which may have its own Job.
std::string find_near_kind(const ObjectName& name);

/// A warning about an object of such a kind.
std::optional<ManifestFinding> warn_of_near_kind(const manifests::Manifest& manifest,
                                                 const ObjectName& name);

}  // namespace winadmit::cli
