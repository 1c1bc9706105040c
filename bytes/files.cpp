#include "bytes/files.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "bytes/error.hpp"
#include "bytes/input_file.hpp"

namespace winadmit {
namespace {

namespace fs = std::filesystem;

/// Waits until the descriptor is writable. False on an error.
bool wait_until_writable(int descriptor) {
  pollfd waits{.fd = descriptor, .events = POLLOUT, .revents = 0};
  return ::poll(&waits, 1, -1) == 1 || errno == EINTR;
}

bool copy_owner_and_mode(int file, const struct stat& from) {
  // Only root may give a file away; without that, it is ours.
  const bool is_given = fchown(file, from.st_uid, from.st_gid) == 0;
  const mode_t kept = is_given ? 07777U : 0777U;
  return fchmod(file, from.st_mode & kept) == 0;
}

/// `before`: the file that is replaced, or null.
bool set_mode(int file, Readers readers, const struct stat* before) {
  if (readers == Readers::as_before && before != nullptr) return copy_owner_and_mode(file, *before);
  return fchmod(file, readers == Readers::owner ? 0600 : 0644) == 0;
}

/// The file that a symbolic link leads to, which may not exist yet. Returns another file as it is,
/// and one of the links if they form a circle.
fs::path follow_links(fs::path file) {
  constexpr int kMaxLinks = 40;  // of Linux: path_resolution(7)
  std::error_code code;
  for (int i = 0; i < kMaxLinks; ++i) {
    const fs::path target = fs::read_symlink(file, code);
    if (code) break;
    file = file.parent_path() / target;
  }
  return file;
}

[[noreturn]] void fail_to_write(const fs::path& file, const std::string& why) {
  throw Error("cannot write " + file.string() + ": " + why);
}

/// Lets the signals that end a program wait, so that no temporary file stays behind.
class SignalsWait {
 public:
  SignalsWait() {
    sigset_t ending;
    sigemptyset(&ending);
    for (const int each : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&ending, each);
    pthread_sigmask(SIG_BLOCK, &ending, &before_);
  }
  ~SignalsWait() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsWait(const SignalsWait&) = delete;
  SignalsWait& operator=(const SignalsWait&) = delete;

 private:
  sigset_t before_{};
};

/// Whether the file has an access control list or attributes of users, which a new file would not
/// have.
bool has_attributes(const std::string& file) {
  std::string names;
  const ssize_t size = ::listxattr(file.c_str(), nullptr, 0);
  if (size <= 0) return false;
  names.resize(static_cast<std::size_t>(size));
  const ssize_t listed = ::listxattr(file.c_str(), names.data(), names.size());
  if (listed <= 0) return false;
  names.resize(static_cast<std::size_t>(listed));
  std::string_view left = names;  // each name ends with a NUL
  while (!left.empty()) {
    const std::string_view name = left.substr(0, left.find('\0'));
    if (name.starts_with("user.") || name == "system.posix_acl_access") return true;
    left.remove_prefix(std::min(name.size() + 1, left.size()));
  }
  return false;
}

/// Renames a temporary file to the target. Returns an error number, or 0.
int replace(const std::string& target, std::string_view text, Readers readers,
            const struct stat* before) {
  const SignalsWait signals_wait;
  std::string temporary = target + ".XXXXXX";
  const int out = mkostemp(temporary.data(), O_CLOEXEC);  // created with mode 0600
  if (out < 0) return errno;
  const bool is_written =
      write_all(out, text).empty() && set_mode(out, readers, before) && fsync(out) == 0;
  int error = is_written ? 0 : errno;
  ::close(out);
  if (is_written && std::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error != 0) ::unlink(temporary.c_str());
  return error;
}

/// Writes a file that stays the same one. The old content is lost only when there is space for the
/// new one. Returns an error number, or 0.
int overwrite(const std::string& target, std::string_view text, off_t old_size) {
  const int out = ::open(target.c_str(), O_WRONLY | O_CLOEXEC);
  if (out < 0) return errno;
  const auto size = static_cast<off_t>(text.size());
  int error = size > old_size ? posix_fallocate(out, 0, size) : 0;
  if (error != 0) {
    if (ftruncate(out, old_size) != 0) error = errno;
  } else if (!write_all(out, text).empty() || ftruncate(out, size) != 0 || fsync(out) != 0) {
    error = errno;
  }
  ::close(out);
  return error;
}

/// Whether a new file cannot take the place, but the old one may be writable: its folder is
/// read-only, or the file is a mount, as a container gets it.
bool may_overwrite_after(int error) {
  return error == EACCES || error == EPERM || error == EROFS || error == EBUSY;
}

}  // namespace

std::string read_file(const fs::path& file, std::size_t largest) {
  return InputFile(file).read_all(largest);
}

void refuse_irregular_file(const fs::path& file) {
  struct stat status{};
  if (stat(file.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    fail_to_write(file, "it is not a regular file");
}

void write_file(const fs::path& file, std::string_view text, Readers readers) {
  refuse_irregular_file(file);
  std::error_code code;
  const std::string target = fs::weakly_canonical(follow_links(file), code).string();
  if (code) fail_to_write(file, code.message());
  struct stat status{};
  const bool exists = stat(target.c_str(), &status) == 0;
  const bool stays = exists && readers == Readers::as_before;
  const bool must_stay = stays && (status.st_nlink > 1 || has_attributes(target));
  int error = must_stay ? 0 : replace(target, text, readers, exists ? &status : nullptr);
  if (must_stay || (stays && may_overwrite_after(error)))
    error = overwrite(target, text, status.st_size);
  if (error != 0) fail_to_write(file, std::strerror(error));
}

FileVersion version_of(const fs::path& file) {
  struct stat status{};
  if (stat(file.c_str(), &status) != 0) return {};
  return {.device = status.st_dev,
          .inode = status.st_ino,
          .size = status.st_size,
          .seconds = status.st_mtim.tv_sec,
          .nanoseconds = status.st_mtim.tv_nsec};
}

std::string_view write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count >= 0) {
      text.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR && (errno != EAGAIN || !wait_until_writable(descriptor))) {
      break;
    }
  }
  return text;
}

}  // namespace winadmit
