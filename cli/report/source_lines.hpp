// The lines of a manifest, for messages. Reads forward: memory does not grow with the file.
#pragma once

#include <fstream>
#include <string>

#include "manifests/manifest.hpp"

namespace winadmit::cli {

class SourceLines {
 public:
  /// A line, from 1. "" if the file has no such line, or cannot be read again, such as a pipe.
  std::string line(const std::string& file, int number);

  /// The line of a location, as the reader of manifests noted it, or else from the file.
  std::string line(const manifests::Location& location);

 private:
  std::string file_;
  std::ifstream stream_;
  int number_ = 0;  // of `line_`
  std::string line_;
};

/// The part of a line to underline: offset and size in bytes. If the location has no end, it is the
/// word there.
struct Underline {
  std::size_t begin = 0;
  std::size_t size = 0;
};
Underline find_underline(const manifests::Location& location, const std::string& line);

}  // namespace winadmit::cli
