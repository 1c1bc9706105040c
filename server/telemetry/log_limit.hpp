// Limits how often a log line is written that clients can cause.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

namespace winadmit::server {

/// One thread uses an instance.
class LogLimit {
 public:
  using Clock = std::chrono::steady_clock;

  explicit LogLimit(Clock::duration interval) : interval_(interval) {}

  /// How many lines were left out before this one, or nothing if this one is to be left out: the
  /// last one is less than the interval ago.
  std::optional<std::uint64_t> next(Clock::time_point now = Clock::now()) {
    if (last_ && now - *last_ < interval_) {
      ++left_out_;
      return std::nullopt;
    }
    last_ = now;
    return std::exchange(left_out_, 0);
  }

 private:
  Clock::duration interval_;
  std::optional<Clock::time_point> last_;
  std::uint64_t left_out_ = 0;
};

/// The same for lines of several kinds, once a minute for each kind.
template <class Kind>
std::optional<std::uint64_t> next_line(std::map<Kind, LogLimit>& limits, Kind kind) {
  return limits.try_emplace(kind, std::chrono::minutes(1)).first->second.next();
}

}  // namespace winadmit::server
