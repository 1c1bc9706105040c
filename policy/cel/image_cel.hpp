// What the images of containers say, in CEL: the twin of policy/pod/image.hpp and builds.hpp.
#pragma once

#include <string>
#include <string_view>

namespace winadmit {

/// The image of the container c without its digest.
inline constexpr std::string_view kImageReference = "c.?image.orValue('').split('@')[0]";

/// A regular expression for an image of a repository for Windows only.
std::string windows_only_pattern();

/// The build that the images of the view `view` name: a list of at most one label.
std::string build_of_images(std::string_view view);

/// Whether the text `image` names Windows, as names_windows().
std::string names_windows_in_cel(std::string_view image);

/// The build that the image of the container `container` names: a list with [label] for each part
/// of the tag that names it; empty if parts name different builds.
std::string build_of_image(std::string_view container);

}  // namespace winadmit
