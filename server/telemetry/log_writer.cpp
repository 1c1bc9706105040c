#include "server/telemetry/log_writer.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "bytes/files.hpp"

namespace winadmit::server {
namespace {

/// Lines are collected until they have this size in bytes, for at most this time.
constexpr std::size_t kBatchSize = 16 * 1024;
constexpr std::chrono::seconds kBatchTime{1};

constexpr std::chrono::seconds kMaxWait{1};

std::uint64_t count_lines(std::string_view text) {
  return static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
}

}  // namespace

struct LogWriter::Shared {
  Shared(int its_descriptor, std::atomic<std::uint64_t>& its_lost,
         std::function<void(std::uint64_t)> its_report)
      : descriptor(its_descriptor), lost(its_lost), report(std::move(its_report)) {}

  void run() {
    std::unique_lock lock(mutex);
    while (!is_stopping || !lines.empty()) {
      wake_up.wait_for(lock, kBatchTime,
                       [this] { return is_stopping || is_flushing || lines.size() >= kBatchSize; });
      is_flushing = false;
      std::string batch = std::exchange(lines, {});
      is_writing = !batch.empty();
      lock.unlock();
      const bool is_written = write(batch);
      lock.lock();
      if (is_written && !is_stopping) {  // spdlog may be gone
        lock.unlock();
        report_lost();
        lock.lock();
      }
      is_writing = false;
      if (lines.empty()) written.notify_all();
    }
  }

  /// Returns whether there was something to write, and all of it was written.
  bool write(std::string& batch) {
    const std::uint64_t lines_of_batch = count_lines(batch);
    if (last_line_is_cut) batch.insert(0, 1, '\n');  // ends the cut line, which is counted already
    const std::string_view unwritten = write_all(descriptor, batch);
    if (unwritten.size() < batch.size()) {
      last_line_is_cut = batch[batch.size() - unwritten.size() - 1] != '\n';
    }
    lost.fetch_add(std::min(count_lines(unwritten), lines_of_batch), std::memory_order_relaxed);
    return !batch.empty() && unwritten.empty();
  }

  void report_lost() {
    const std::uint64_t unreported = lost.load(std::memory_order_relaxed) - reported;
    if (unreported == 0) return;
    report(unreported);
    reported += unreported;
  }

  const int descriptor;
  std::atomic<std::uint64_t>& lost;
  const std::function<void(std::uint64_t)> report;
  // Used by the thread alone:
  std::uint64_t reported = 0;     // of `lost`
  bool last_line_is_cut = false;  // by a write that failed
  std::mutex mutex;
  std::condition_variable wake_up;
  std::condition_variable written;
  std::string lines;
  bool is_flushing = false;
  bool is_writing = false;
  bool is_stopping = false;
};

LogWriter::LogWriter(int descriptor, std::atomic<std::uint64_t>& lost,
                     std::function<void(std::uint64_t)> report)
    : shared_(std::make_shared<Shared>(descriptor, lost, std::move(report))) {
  std::thread([shared = shared_] { shared->run(); }).detach();
}

LogWriter::~LogWriter() {
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->is_stopping = true;
  }
  shared_->wake_up.notify_one();
}

void LogWriter::sink_it_(const spdlog::details::log_msg& message) {
  spdlog::memory_buf_t line;
  formatter_->format(message, line);
  bool is_batch = false;
  {
    const std::lock_guard lock(shared_->mutex);
    if (shared_->lines.size() + line.size() > kCapacity) {
      shared_->lost.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    const bool was_batch = shared_->lines.size() >= kBatchSize;
    shared_->lines.append(line.data(), line.size());
    is_batch = !was_batch && shared_->lines.size() >= kBatchSize;
  }
  if (is_batch) shared_->wake_up.notify_one();
}

void LogWriter::flush_() {
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->is_flushing = true;
  }
  shared_->wake_up.notify_one();
}

void LogWriter::wait() {
  flush();
  std::unique_lock lock(shared_->mutex);
  shared_->written.wait_for(lock, kMaxWait,
                            [this] { return shared_->lines.empty() && !shared_->is_writing; });
}

}  // namespace winadmit::server
