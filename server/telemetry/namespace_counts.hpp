// Counts by namespace, from all threads. How many namespaces it keeps is bounded: a request names
// any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace winadmit::server {

class NamespaceCounts {
 public:
  static constexpr std::size_t kMaxNamespaces = 1'000;
  static constexpr std::size_t kMaxNameSize = 63;  // of a namespace (RFC 1123)
  /// Counts all others together. No namespace can have this name.
  static constexpr std::string_view kOthers = "(others)";

  using Counts = std::map<std::string, std::uint64_t, std::less<>>;

  void add(std::string_view name_space) {
    const std::lock_guard lock(mutex_);
    auto found = counts_.find(name_space);
    if (found == counts_.end()) {
      const bool is_kept = counts_.size() < kMaxNamespaces && name_space.size() <= kMaxNameSize;
      found = counts_.try_emplace(std::string(is_kept ? name_space : kOthers)).first;
    }
    ++found->second;
  }

  Counts counts() const {
    const std::lock_guard lock(mutex_);
    return counts_;
  }

 private:
  mutable std::mutex mutex_;
  Counts counts_;
};

}  // namespace winadmit::server
