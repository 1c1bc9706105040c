// Locations whose columns count code points, as SARIF and GitHub do. The readers of manifests count
// bytes.
#pragma once

#include "manifests/location.hpp"

namespace winadmit::cli {

/// The location with such columns. They are 0, not known, if the text of its line is not.
manifests::Location code_point_location(manifests::Location location);

}  // namespace winadmit::cli
