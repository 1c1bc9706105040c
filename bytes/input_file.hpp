// Reads a file from begin to end.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>

namespace winadmit {

/// How long a named pipe may have no process that writes to it.
inline constexpr std::chrono::milliseconds kWaitForWriter{2000};

class InputFile {
 public:
  /// Throws Error, also for a folder, and for a named pipe that no process has opened to write
  /// within `wait`.
  explicit InputFile(const std::filesystem::path& file,
                     std::chrono::milliseconds wait = kWaitForWriter);
  static InputFile standard_input() { return InputFile(); }
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// Appends the next bytes to `to`. False at the end. Throws Error.
  bool read_more(std::string& to);

  /// What is left. Throws Error, also if that is more than `largest` bytes: /dev/zero has no end.
  std::string read_all(std::size_t largest);

 private:
  InputFile();
  [[noreturn]] void fail() const;

  std::string name_;
  int descriptor_;
  bool is_standard_input_;  // stays open: else the next file would get descriptor 0
};

}  // namespace winadmit
