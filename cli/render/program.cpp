#include "cli/render/program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "bytes/files.hpp"
#include "text/text.hpp"

namespace winadmit::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxErrorText = 2000;  // its end says why

/// The reading end of what a process writes.
class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0)
      throw Error(std::string("cannot make a pipe: ") + std::strerror(errno));
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_writer();
    ::close(ends_[0]);
  }

  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  void close_writer() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  std::array<int, 2> ends_{};
};

class Process {
 public:
  Process(const std::vector<char*>& arguments, const std::vector<char*>& environment) {
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, out_.writer(), STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, error_.writer(), STDERR_FILENO);
    const int failure =
        ::posix_spawnp(&id_, arguments[0], &actions, nullptr, arguments.data(), environment.data());
    ::posix_spawn_file_actions_destroy(&actions);
    const std::string name = arguments[0];
    if (failure == ENOENT) throw MissingProgram(name + " is not in PATH");
    if (failure != 0) throw Error("cannot run " + name + ": " + std::strerror(failure));
    out_.close_writer();
    error_.close_writer();
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process() {
    if (is_running_) end();
  }

  /// Reads all that it writes. False if it takes too long, or writes too much.
  bool read(Clock::time_point until) {
    std::array<pollfd, 2> ends = {pollfd{.fd = out_.reader(), .events = POLLIN, .revents = 0},
                                  pollfd{.fd = error_.reader(), .events = POLLIN, .revents = 0}};
    while (ends[0].fd >= 0 || ends[1].fd >= 0) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
      if (left.count() <= 0) return false;
      if (::poll(ends.data(), ends.size(), static_cast<int>(left.count())) < 0) {
        if (errno != EINTR) return false;
        continue;
      }
      if (!take(ends[0], out) || !take(ends[1], error)) return false;
      if (error.size() > 2 * kMaxErrorText) error.erase(0, error.size() - kMaxErrorText);
    }
    return true;
  }

  /// Its exit code; -1 after a signal.
  int wait() {
    int status = 0;
    while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
    }
    is_running_ = false;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  std::string out;
  std::string error;

 private:
  void end() {
    ::kill(id_, SIGKILL);
    wait();
  }

  static bool take(pollfd& end, std::string& to) {
    if (end.fd < 0 || end.revents == 0) return true;
    std::array<char, 1U << 16U> block{};
    const ssize_t count = ::read(end.fd, block.data(), block.size());
    if (count < 0 && errno == EINTR) return true;
    if (count <= 0) {
      end.fd = -1;
      return true;
    }
    to.append(block.data(), static_cast<std::size_t>(count));
    return to.size() <= kMaxFileSize;
  }

  Pipe out_;
  Pipe error_;
  pid_t id_ = 0;
  bool is_running_ = true;
};

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& each : texts) pointers.push_back(each.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> merge_environment(const std::vector<std::string>& changes) {
  std::vector<std::string> merged = changes;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view entry = *each;
    const auto has_name = [&](const std::string& change) {
      return entry.starts_with(change.substr(0, change.find('=') + 1));
    };
    if (std::ranges::none_of(changes, has_name)) merged.emplace_back(entry);
  }
  return merged;
}

}  // namespace

std::string run_program(std::vector<std::string> arguments,
                        const std::vector<std::string>& environment, std::chrono::seconds most) {
  std::vector<std::string> merged = merge_environment(environment);
  const std::string name = arguments.front();
  Process process(pointers_to(arguments), pointers_to(merged));
  const auto until = Clock::now() + most;
  if (!process.read(until)) {
    throw Error(Clock::now() < until
                    ? name + " prints more than " + std::to_string(kMaxFileSize) + " bytes"
                    : name + " takes longer than " + std::to_string(most.count()) + " s");
  }
  if (process.wait() == 0) return std::move(process.out);
  std::string why(trim(process.error));
  if (why.size() > kMaxErrorText) why.erase(0, why.size() - kMaxErrorText);
  throw Error(name + " failed" + (why.empty() ? "" : ": " + why));
}

}  // namespace winadmit::cli
