#include "bytes/input_file.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "bytes/error.hpp"

namespace winadmit {
namespace {

constexpr std::size_t kBlock = std::size_t{64} << 10U;

/// Not the pipe of a shell, which has its writer from the beginning: that may have ended.
bool is_named_pipe(int descriptor, const struct stat& status) {
  struct statfs system{};
  return S_ISFIFO(status.st_mode) && fstatfs(descriptor, &system) == 0 &&
         system.f_type != PIPEFS_MAGIC;
}

/// Whether a pipe has content, or a process that may write some.
bool has_writer(int pipe) {
  std::array<int, 2> copy{};
  if (::pipe2(copy.data(), O_CLOEXEC) != 0) return true;              // reading will tell
  const ssize_t copied = ::tee(pipe, copy[1], 1, SPLICE_F_NONBLOCK);  // takes nothing out
  ::close(copy[0]);
  ::close(copy[1]);
  return copied != 0;
}

/// A blocking open() of a named pipe would wait for a writer for ever. Returns -1 on an error.
int open_to_read(const char* file) {
  constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NOCTTY;
  const int descriptor = ::open(file, kFlags | O_NONBLOCK);
  const bool is_leased = descriptor < 0 && errno == EWOULDBLOCK;  // a file: the lease will end
  return is_leased ? ::open(file, kFlags) : descriptor;
}

bool gets_writer(int pipe, std::chrono::milliseconds wait) {
  constexpr std::chrono::milliseconds kInterval{20};
  const auto end = std::chrono::steady_clock::now() + wait;
  while (!has_writer(pipe)) {
    if (std::chrono::steady_clock::now() >= end) return false;
    pollfd content{.fd = pipe, .events = POLLIN, .revents = 0};
    ::poll(&content, 1, kInterval.count());
    if ((content.revents & POLLHUP) != 0) return true;  // a writer came, and has left
  }
  return true;
}

}  // namespace

InputFile::InputFile(const std::filesystem::path& file, std::chrono::milliseconds wait)
    : name_(file.string()), descriptor_(open_to_read(file.c_str())), is_standard_input_(false) {
  if (descriptor_ < 0) fail();
  struct stat status{};
  std::string error;
  if (fstat(descriptor_, &status) != 0 || fcntl(descriptor_, F_SETFL, 0) != 0) {
    error = "cannot read " + name_ + ": " + std::strerror(errno);
  } else if (S_ISDIR(status.st_mode)) {
    error = name_ + " is a directory, not a file";
  } else if (is_named_pipe(descriptor_, status) && !gets_writer(descriptor_, wait)) {
    error = "cannot read " + name_ + ": no process writes to this pipe";
  }
  if (error.empty()) return;
  ::close(descriptor_);
  throw Error(error);
}

InputFile::InputFile()
    : name_("standard input"), descriptor_(STDIN_FILENO), is_standard_input_(true) {}

InputFile::~InputFile() {
  if (!is_standard_input_) ::close(descriptor_);
}

void InputFile::fail() const { throw Error("cannot read " + name_ + ": " + std::strerror(errno)); }

bool InputFile::read_more(std::string& to) {
  const std::size_t before = to.size();
  to.resize(before + kBlock);
  ssize_t count = 0;
  do count = ::read(descriptor_, to.data() + before, kBlock);
  while (count < 0 && errno == EINTR);
  to.resize(before + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  if (count < 0) fail();
  return count > 0;
}

std::string InputFile::read_all(std::size_t largest) {
  std::string text;
  while (read_more(text)) {
    if (text.size() > largest)
      throw Error(name_ + " is larger than " + std::to_string(largest) + " bytes");
  }
  return text;
}

}  // namespace winadmit
