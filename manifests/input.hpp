// Files and standard input.
#pragma once

#include <cstddef>
#include <string>

namespace winadmit::manifests {

/// The content of a file of at most `limit` bytes; "-" is standard input. Throws
/// std::runtime_error.
std::string read_input(const std::string& file, std::size_t limit);

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
  bool is_standard_input_;  // which stays open; its number is that of any file if it was closed
  int descriptor_;
};

}  // namespace winadmit::manifests
