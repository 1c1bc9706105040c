// The labels of a Namespace that are for winadmit.
#pragma once

#include "cli/judge/verdict.hpp"
#include "policy/rules/action.hpp"

namespace winadmit::cli {

/// Adds what is wrong with them: findings with the action deny or warn, none for allow.
void add_label_faults(const manifests::Manifest& manifest, Action action, Verdict& verdict);

}  // namespace winadmit::cli
