#include "cli/replace_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>

namespace winadmit::cli {
namespace {

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool copy_owner_and_mode(int file, const struct stat& from) {
  // Only root may give a file away; without that, it is ours.
  const bool is_given = fchown(file, from.st_uid, from.st_gid) == 0;
  const mode_t kept = is_given ? 07777U : 0777U;
  return fchmod(file, from.st_mode & kept) == 0;
}

[[noreturn]] void fail(const std::string& file, const std::string& why) {
  throw std::runtime_error("cannot write " + file + ": " + why);
}

}  // namespace

void replace_file(const std::string& file, std::string_view text) {
  std::error_code code;
  const std::string target = std::filesystem::canonical(file, code).string();
  if (code) fail(file, code.message());
  struct stat status{};
  if (stat(target.c_str(), &status) != 0) fail(file, std::strerror(errno));
  if (!S_ISREG(status.st_mode)) fail(file, "it is not a regular file");
  std::string temporary = target + ".XXXXXX";
  const int out = mkostemp(temporary.data(), O_CLOEXEC);
  if (out < 0) fail(file, std::strerror(errno));
  bool ok = write_all(out, text) && copy_owner_and_mode(out, status) && fsync(out) == 0;
  int error = errno;
  ::close(out);
  if (ok && std::rename(temporary.c_str(), target.c_str()) != 0) {
    ok = false;
    error = errno;
  }
  if (ok) return;
  ::unlink(temporary.c_str());
  fail(file, std::strerror(error));
}

}  // namespace winadmit::cli
