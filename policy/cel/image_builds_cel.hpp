// The Windows builds of images in CEL: the twin of policy/judge/image_builds.hpp.
#pragma once

#include <string>

#include "policy/cel/cel_text.hpp"
#include "policy/judge/settings.hpp"

namespace winadmit {

/// The variable `namedHosts`: of each pod, the known Windows builds of the nodes that it names.
CelVariable named_hosts(const Settings& settings);

/// The images of the view `$view` that no node can run, as a list of texts. As ImageBuilds, it
/// compares an image with the oldest that a node can run.
std::string find_image_builds(const Settings& settings);

}  // namespace winadmit
