// Files and standard input.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

namespace winadmit::manifests {

/// The content of a file of at most `limit` bytes; "-" is standard input. Throws
/// std::runtime_error.
std::string read_input(const std::string& file, std::size_t limit);

/// A file to read, and what it is called in messages and by patterns.
struct Source {
  Source(std::string path) : file(std::move(path)), name(file) {}
  Source(std::string path, std::string shown) : file(std::move(path)), name(std::move(shown)) {}

  bool is_standard_input() const { return file == "-"; }

  std::string file;  // "-" is standard input
  std::string name;  // the same, or that of the file that standard input is the text of
};

/// A file that is read from begin to end; "-" is standard input.
class InputFile {
 public:
  /// Throws std::runtime_error.
  explicit InputFile(const std::string& name);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// Appends the next bytes to `to`. False at the end. Throws std::runtime_error.
  bool read_more(std::string& to);

 private:
  std::string name_;
  bool is_standard_input_;  // stays open: else the next file would get descriptor 0
  int descriptor_;
};

}  // namespace winadmit::manifests
