// What the images of containers say, in CEL: the twin of policy/pod/image.hpp and builds.hpp.
#pragma once

#include <string>
#include <string_view>

namespace winadmit {

/// The build that the images of the view `view` name: a list of at most one label.
std::string build_of_images(std::string_view view);

}  // namespace winadmit
