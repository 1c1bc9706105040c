// The labels of a Namespace that are for winadmit.
#pragma once

#include <vector>

#include "cli/judge/manifest_finding.hpp"
#include "policy/rules/action.hpp"

namespace winadmit::cli {

/// What is wrong with them: findings with the action deny or warn, none for allow.
std::vector<ManifestFinding> find_label_faults(const manifests::Manifest& manifest,
                                               const ObjectName& name, Action action);

}  // namespace winadmit::cli
