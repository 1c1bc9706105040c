// Reads and writes whole files.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace winadmit {

/// Larger files are refused.
inline constexpr std::size_t kMaxFileSize = std::size_t{64} << 20U;

/// The content of a file. Throws Error, also if it has more than `largest` bytes.
std::string read_file(const std::filesystem::path& file, std::size_t largest = kMaxFileSize);

/// Who can read a file: modes 0600 and 0644. `as_before` keeps the mode and, if it may, the owner
/// of the file that is replaced; a new file is for everyone.
enum class Readers { owner, everyone, as_before };

/// Replaces or makes a regular file as a whole: the old content stays until the new one is on disk.
/// A symbolic link stays one, also if the file that it names is new. With `as_before`, a file with
/// several hard links, an access control list or attributes of users, or one that cannot be
/// replaced (in a read-only folder, or a mount), is overwritten instead, in space that is reserved
/// first. Throws Error.
void write_file(const std::filesystem::path& file, std::string_view text, Readers readers);

/// Throws Error if write_file() would refuse the file because it is not a regular one.
void refuse_irregular_file(const std::filesystem::path& file);

/// Changes when the file is written or replaced. {} if there is no file.
struct FileVersion {
  dev_t device = 0;
  ino_t inode = 0;
  off_t size = 0;
  time_t seconds = 0;
  long nanoseconds = 0;

  friend bool operator==(const FileVersion&, const FileVersion&) = default;
};
FileVersion version_of(const std::filesystem::path& file);

/// Writes to a descriptor, also to one that another process made non-blocking. Returns the part of
/// the text that could not be written; errno says why.
std::string_view write_all(int descriptor, std::string_view text);

}  // namespace winadmit
