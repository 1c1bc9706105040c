#include "server/telemetry/log_writer.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace winadmit::server {
namespace {

/// Lines are gathered to a write of this size, for so long at most.
constexpr std::size_t kWrite = 16 * 1024;
constexpr std::chrono::seconds kGather{1};

constexpr std::chrono::seconds kWait{1};

std::uint64_t count_lines(std::string_view text) {
  return static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
}

/// Whether the descriptor can be written to, after a wait if need be: another process may have made
/// it a non-blocking one.
bool becomes_writable(int descriptor) {
  pollfd waits{.fd = descriptor, .events = POLLOUT, .revents = 0};
  return ::poll(&waits, 1, -1) == 1 || errno == EINTR;
}

/// What could not be written of the text.
std::string_view write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count >= 0) {
      text.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR && (errno != EAGAIN || !becomes_writable(descriptor))) {
      break;
    }
  }
  return text;
}

}  // namespace

struct LogWriter::Shared {
  Shared(int its_descriptor, std::atomic<std::uint64_t>& its_lost,
         std::function<void(std::uint64_t)> its_report)
      : descriptor(its_descriptor), lost(its_lost), report(std::move(its_report)) {}

  void run() {
    std::unique_lock lock(mutex);
    while (!stops || !lines.empty()) {
      wakes.wait_for(lock, kGather,
                     [this] { return stops || is_flushing || lines.size() >= kWrite; });
      is_flushing = false;
      std::string taken = std::exchange(lines, {});
      is_writing = !taken.empty();
      const bool may_report = !stops;
      lock.unlock();
      if (is_amidst_a_line) taken.insert(0, 1, '\n');
      const std::string_view unwritten = write_all(descriptor, taken);
      const std::string_view written_now(taken.data(), taken.size() - unwritten.size());
      if (!written_now.empty()) is_amidst_a_line = !written_now.ends_with('\n');
      lost.fetch_add(count_lines(unwritten), std::memory_order_relaxed);
      const std::uint64_t now_lost = lost.load(std::memory_order_relaxed);
      if (may_report && !taken.empty() && unwritten.empty() && now_lost > reported) {
        report(now_lost - reported);
        reported = now_lost;
      }
      lock.lock();
      is_writing = false;
      if (lines.empty()) written.notify_all();
    }
  }

  const int descriptor;
  std::atomic<std::uint64_t>& lost;
  const std::function<void(std::uint64_t)> report;
  // The thread's own.
  std::uint64_t reported = 0;     // of `lost`
  bool is_amidst_a_line = false;  // whose end could not be written
  std::mutex mutex;
  std::condition_variable wakes;
  std::condition_variable written;
  std::string lines;
  bool is_flushing = false;
  bool is_writing = false;
  bool stops = false;
};

LogWriter::LogWriter(int descriptor, std::atomic<std::uint64_t>& lost,
                     std::function<void(std::uint64_t)> report)
    : shared_(std::make_shared<Shared>(descriptor, lost, std::move(report))) {
  std::thread([shared = shared_] { shared->run(); }).detach();
}

LogWriter::~LogWriter() {
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->stops = true;
  }
  shared_->wakes.notify_one();
}

void LogWriter::sink_it_(const spdlog::details::log_msg& message) {
  spdlog::memory_buf_t line;
  formatter_->format(message, line);
  bool is_much = false;
  {
    const std::lock_guard lock(shared_->mutex);
    if (shared_->lines.size() + line.size() > kMost) {
      shared_->lost.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    const bool was_much = shared_->lines.size() >= kWrite;
    shared_->lines.append(line.data(), line.size());
    is_much = !was_much && shared_->lines.size() >= kWrite;
  }
  if (is_much) shared_->wakes.notify_one();
}

void LogWriter::flush_() {
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->is_flushing = true;
  }
  shared_->wakes.notify_one();
}

void LogWriter::wait() {
  flush();
  std::unique_lock lock(shared_->mutex);
  shared_->written.wait_for(lock, kWait,
                            [this] { return shared_->lines.empty() && !shared_->is_writing; });
}

}  // namespace winadmit::server
