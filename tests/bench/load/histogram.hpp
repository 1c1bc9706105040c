// A histogram of latencies with a relative error of at most 1/64 (1.6 %) and constant memory.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace winadmit::bench {

class Histogram {
 public:
  void add(std::uint64_t nanoseconds) {
    ++counts_[index_of(nanoseconds)];
    ++total_;
    max_ = std::max(max_, nanoseconds);
  }

  /// The upper bound of the bucket with this percentile (0.99); 0 if there are no values.
  std::uint64_t percentile(double share) const {
    const auto wanted = static_cast<std::uint64_t>(share * static_cast<double>(total_));
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      seen += counts_[i];
      if (counts_[i] != 0 && seen > wanted) return std::min(upper_edge(i), max_);
    }
    return max_;
  }

  std::uint64_t total() const { return total_; }
  std::uint64_t max() const { return max_; }

 private:
  static constexpr std::size_t kBits = 6;  // 64 buckets per power of two
  static constexpr std::uint64_t kSteps = 1U << kBits;

  static std::size_t index_of(std::uint64_t value) {
    if (value < kSteps) return static_cast<std::size_t>(value);
    const auto shift = static_cast<std::size_t>(std::bit_width(value)) - 1 - kBits;
    return (shift + 1) * kSteps + static_cast<std::size_t>((value >> shift) - kSteps);
  }

  static std::uint64_t upper_edge(std::size_t index) {
    if (index < kSteps) return index;
    const auto shift = index / kSteps - 1;
    return ((index % kSteps + kSteps + 1) << shift) - 1;
  }

  std::array<std::uint64_t, kSteps * (64 - kBits + 1)> counts_{};
  std::uint64_t total_ = 0;
  std::uint64_t max_ = 0;
};

}  // namespace winadmit::bench
