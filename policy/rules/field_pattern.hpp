// The paths that a row's scope and field stand for, as Kubernetes documents write them:
// `spec.containers[*].ports[*].protocol`. For documentation, `explain` and tests; the engine that
// walks a pod compiles its own form.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "policy/rules/rule.hpp"

namespace winadmit {

/// Every path of the scope and field, with `{a,b}` and the lists of containers written out. An
/// annotation becomes `metadata.annotations[key]`.
std::vector<std::string> paths_of(Scope scope, std::string_view field);

/// Is `path` the field itself? A list may be written with or without `[*]` behind it.
bool is_same_path(std::string_view path, std::string_view field_path);

/// Is `path` a member, or an entry's member, of the field at any depth?
bool is_below(std::string_view path, std::string_view field_path);

}  // namespace winadmit
