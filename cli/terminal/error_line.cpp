#include "cli/terminal/error_line.hpp"

#include "text/printable.hpp"

namespace winadmit::cli {

std::string error_line(const manifests::FileError& error) {
  const std::string at =
      error.location.line > 0 ? to_string(error.location) + ": error: " : "winadmit: ";
  return printable(at + error.what);
}

}  // namespace winadmit::cli
