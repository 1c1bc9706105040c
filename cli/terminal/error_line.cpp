#include "cli/terminal/error_line.hpp"

#include "text/printable.hpp"

namespace winadmit::cli {

std::string error_line(const manifests::FileError& error) {
  const std::string at = to_string(error.location);
  const bool has_position = error.location.line > 0 && error.line.starts_with(at + ": ");
  const std::string line =
      has_position ? at + ": error" + error.line.substr(at.size()) : "winadmit: " + error.line;
  return printable(line);
}

}  // namespace winadmit::cli
