// Files and standard input.
#pragma once

#include <string>
#include <utility>

#include "bytes/input_file.hpp"

namespace winadmit::manifests {

/// Opens a file; "-" is standard input. Throws Error.
InputFile open_input(const std::string& file);

/// A file to read, and what it is called in messages and by patterns.
struct Source {
  Source(std::string path) : file(std::move(path)), name(file) {}
  Source(std::string path, std::string shown) : file(std::move(path)), name(std::move(shown)) {}

  bool is_standard_input() const { return file == "-"; }

  std::string file;  // "-" is standard input
  std::string name;  // the same, or that of the file that standard input is the text of
};

}  // namespace winadmit::manifests
