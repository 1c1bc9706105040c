// The Windows builds of images in CEL: the twin of policy/judge/image_builds.hpp.
#pragma once

#include <string>
#include <string_view>

#include "policy/cel/cel_text.hpp"
#include "policy/judge/settings.hpp"

namespace winadmit {

/// The image of the container c without its digest.
inline constexpr std::string_view kImageReference = "c.?image.orValue('').split('@')[0]";

/// A regular expression for an image of a repository for Windows only.
std::string windows_only_pattern();

/// The variable `namedHosts`: of each pod, the known Windows builds of the nodes that it names.
CelVariable named_hosts(const Settings& settings);

/// The images of the view `$view` that no node can run, as a list of texts. As ImageBuilds, it
/// compares an image with the first that a node can run.
std::string find_image_builds(const Settings& settings);

}  // namespace winadmit
