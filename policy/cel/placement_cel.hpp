// Placement in CEL: the twin of policy/judge/placement.hpp.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "policy/cel/cel_text.hpp"
#include "policy/judge/settings.hpp"

namespace winadmit {

/// The variable `wantedTolerations`, on pod_variables(): a list of the tolerations that the pod and
/// the old one are to have if they are for Windows.
CelVariable wanted_tolerations(const Settings& settings);

/// The variable `missing`, on that and pod_variables(): a list of what the pod and the old one
/// lack, as maps with `selector` (a boolean) and `tolerations` (a list).
CelVariable missing_placement(const Settings& settings);

/// The build that the images of the view `view` name: a list of at most one label.
std::string build_of_images(std::string_view view);

/// Whether the text `image` names Windows, as names_windows().
std::string names_windows_in_cel(std::string_view image);

/// The build that the image of the container `container` names: a list with [label] for each part
/// of the tag that names it; empty if parts name different builds.
std::string build_of_image(std::string_view container);

/// Whether the list of tolerations `tolerations` has one of the taint `taint` by name.
std::string tolerates_by_name(std::string_view tolerations, std::string_view taint);

/// Whether the list `tolerations` tolerates every taint that `wanted` is for.
std::string tolerates(std::string_view tolerations, std::string_view wanted);

/// The taints by which a pod that tolerates one by name is for a build, as identifies_build() says:
/// {"BUILD":[...]}.
nlohmann::ordered_json own_taints(const Settings& settings);

/// As the Kubernetes API has them.
nlohmann::ordered_json to_json(const Toleration& toleration);
nlohmann::ordered_json to_json(const std::vector<Toleration>& tolerations);
nlohmann::ordered_json to_json(const std::vector<const Toleration*>& tolerations);

/// Whether the controller of the pod is a DaemonSet, which has chosen its node.
CelVariable is_owned_by_daemon_set();

/// The variables of placement_patch(), on pod_variables().
std::vector<CelVariable> placement_variables(const Settings& settings);

/// The JSON Patch of a new pod, of an UPDATE of a pod that loses its placement or changes its
/// build, and of the template of a DaemonSet: an expression that is empty if nothing is missing.
std::string placement_patch(const Settings& settings);

}  // namespace winadmit
