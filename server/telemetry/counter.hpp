// A counter that one thread writes and any thread may read.
#pragma once

#include <atomic>
#include <cstdint>

namespace winadmit::server {

class Counter {
 public:
  /// Not an atomic increment: cheaper, and enough for one writer.
  void add(std::uint64_t by = 1) {
    value_.store(value_.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
  }
  std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

}  // namespace winadmit::server
