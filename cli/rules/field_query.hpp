// The pod fields that a user means, as the tables write them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "policy/rules/version.hpp"

namespace winadmit::cli {

/// The path of every field of a pod in the newest release, and of the annotations that have a rule.
const std::vector<std::string>& known_paths();

/// Whether the API has the field that a user means.
struct ApiLookup {
  bool is_known = false;
  VersionRange versions = {};  // of a known one
  std::string place = {};      // of another: "nodeSelector belongs to spec"; "" if none is near
};

/// By a path such as normalized_path() takes, also with the kind before it:
/// deployment.spec.nodeSelector.
ApiLookup look_up(const std::string& field);

/// The last steps of those in spec, such as hostPID.
std::vector<std::string> known_names();

/// The path of "containers[0].image", ".spec.containers.image" or "pod.spec.containers.image" as
/// kubectl explain has it, or one in a workload template: spec.containers[*].image.
std::string normalized_path(std::string field);

/// The paths that end in this name, such as hostProcess, or in these names, such as
/// volumeMounts[0].subPath, whose indices may be left out.
std::vector<std::string> paths_named(std::string_view name);

}  // namespace winadmit::cli
