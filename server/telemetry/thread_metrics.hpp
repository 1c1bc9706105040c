// The counters of one thread. It counts without locks; metrics.hpp sums over the threads.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "admission/admit.hpp"
#include "admission/bad_request.hpp"
#include "admission/route.hpp"
#include "policy/json/name_table.hpp"
#include "policy/judge/finding.hpp"
#include "server/telemetry/connection_counters.hpp"
#include "server/telemetry/counter.hpp"
#include "server/telemetry/handshake_failure.hpp"

namespace winadmit::server {

/// Counts by namespace, from all threads. How many namespaces it keeps is bounded: a request names
/// any.
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

/// Upper bounds of the duration histogram, in microseconds. One more bucket takes the rest.
inline constexpr std::array<std::int64_t, 14> kDurationBuckets = {
    10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10'000, 25'000, 100'000, 1'000'000, 10'000'000};

struct ThreadMetrics {
  /// Both must outlive the counters. The second is of all threads.
  ThreadMetrics(const NameTable& finding_ids, NamespaceCounts& default_os_changes);

  /// Counts a review that was answered. `route` must be an element of kRoutes.
  void count_review(const Route& route, Decision decision, std::chrono::nanoseconds duration);

  /// Counts a finding by its id and action, and the mode of the path: only `enforce` refuses.
  /// An id that is not in `finding_ids` is not counted.
  void count_finding(const Finding& finding, Mode mode);

  Counter& bad_request(BadRequestReason reason) {
    return bad_requests[static_cast<std::size_t>(reason)];
  }

  Counter& handshake_failure(HandshakeFailure reason) {
    return handshake_failures[static_cast<std::size_t>(reason)];
  }

  /// Open connections. Other threads may see the two counters change in any order.
  std::uint64_t open_connections() const {
    const std::uint64_t closed = connections_closed.value();
    const std::uint64_t opened = connections_opened.value();
    return opened > closed ? opened - closed : 0;
  }

  const NameTable& finding_ids;
  NamespaceCounts& default_os_changes;
  std::array<std::array<Counter, kDecisionNames.size()>, kRoutes.size()> reviews;
  using ByActionAndMode = std::array<std::array<Counter, kModeNames.size()>, kActionNames.size()>;
  std::vector<ByActionAndMode> findings;  // by id
  Counter created_patches;
  Counter updated_patches;
  std::array<Counter, kBadRequestReasonNames.size()> bad_requests;
  std::array<Counter, kDurationBuckets.size() + 1> durations;
  Counter duration_nanoseconds;
  Counter connections_opened;
  Counter connections_closed;
  Evictions evictions;
  Refusals refusals;
  std::array<Counter, kHandshakeFailureNames.size()> handshake_failures;
};

}  // namespace winadmit::server
