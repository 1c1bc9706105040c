// Writes log lines to a file descriptor on a separate thread: no request waits for the reader of
// the log.
//
// Not spdlog's asynchronous logger: in spdlog 1.10 its thread pool joins a thread that is blocked
// in a write, so the process would not end on SIGTERM, and its overrun counter does not count
// lines that a full disk refuses. It also wakes its thread for each line, which takes twice the
// CPU time, and bounds the lines that wait by their number, not by their size.
#pragma once

#include <spdlog/sinks/base_sink.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

namespace winadmit::server {

class LogWriter final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  /// In bytes, of lines that wait to be written. Lines that do not fit are lost.
  static constexpr std::size_t kCapacity = 256 * 1024;

  /// Counts lost lines in `lost`, which must outlive the last line of the process. Calls `report`
  /// with their number, on the thread of the writer, when lines can be written again.
  LogWriter(int descriptor, std::atomic<std::uint64_t>& lost,
            std::function<void(std::uint64_t)> report);
  ~LogWriter() override;
  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;

  /// Waits until all lines are written or lost, for at most one second.
  void wait();

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override;
  void flush_() override;

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;  // with the thread, which may be blocked in a write forever
};

}  // namespace winadmit::server
