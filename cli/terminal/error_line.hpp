// Errors in files, as they are printed on standard error.
#pragma once

#include <string>

#include "manifests/location.hpp"

namespace winadmit::cli {

/// "pod.yaml:3:5: error: WHAT", as findings and compilers say it, so that editors find the place.
/// An error without a position is "winadmit: WHAT". Safe to print.
std::string error_line(const manifests::FileError& error);

}  // namespace winadmit::cli
