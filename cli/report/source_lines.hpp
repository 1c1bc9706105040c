// The lines of a manifest, for messages. Reads forward: memory does not grow with the file.
#pragma once

#include <fstream>
#include <string>
#include <string_view>

#include "manifests/location.hpp"

namespace winadmit::cli {

class SourceLines {
 public:
  /// A line, from 1, valid until the next call. "" if the file has no such line, or cannot be read
  /// again, such as a pipe.
  std::string_view line(const std::string& file, int number);

  /// The line of a location, as the reader of manifests noted it, or else from the file. Valid as
  /// long as the location, and until the next call.
  std::string_view line(const manifests::Location& location);

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
Underline find_underline(const manifests::Location& location, std::string_view line);

}  // namespace winadmit::cli
