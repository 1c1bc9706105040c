// Writes log lines to a file descriptor, on a thread of its own: a request never waits for whoever
// reads the log.
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
  /// Lines that wait to be written, in bytes. What does not fit is lost.
  static constexpr std::size_t kMost = 256 * 1024;

  /// Counts what is lost in `lost`, which must outlive the process's last line. `report` is called
  /// with the count, on the writer's thread, when lines can be written again.
  LogWriter(int descriptor, std::atomic<std::uint64_t>& lost,
            std::function<void(std::uint64_t)> report);
  ~LogWriter() override;
  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;

  /// Waits until all lines are written or lost, for a second at most.
  void wait();

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override;
  void flush_() override;

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;  // with the thread, which may be stuck in a write for ever
};

}  // namespace winadmit::server
