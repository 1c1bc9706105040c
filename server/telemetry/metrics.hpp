// What is counted. Every thread counts in a shard of its own, without locks; prometheus-cpp sums
// and prints them when it is asked.
#pragma once

#include <prometheus/collectable.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "policy/json/name_table.hpp"
#include "server/review/admit.hpp"
#include "server/telemetry/counter.hpp"

namespace winadmit::server {

/// Upper bounds of the duration histogram, in microseconds; one more bucket takes the rest.
inline constexpr std::array<std::int64_t, 14> kDurationBuckets = {
    10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10'000, 25'000, 100'000, 1'000'000, 10'000'000};

/// Why a connection or a request over HTTP failed before it was a review.
enum class HttpFault {
  not_found,
  method,
  content_type,
  too_large,
  header_too_large,
  bad_http,
  busy,
  timeout,
  internal
};
inline constexpr std::size_t kHttpFaultCount = 9;
std::string_view to_string(HttpFault fault);

/// Clients that were evicted, by what others needed.
struct Evictions {
  Count for_clients;
  Count for_bytes;
  Count for_handshakes;
};

/// One thread's counters.
struct Shard {
  explicit Shard(std::size_t rules) : findings(rules) {}

  void observe(std::chrono::nanoseconds duration);

  /// The requests that failed for this.
  Count& of(HttpFault fault) { return http_faults[static_cast<std::size_t>(fault)]; }

  std::array<std::array<Count, kOutcomeCount>, kRoutes.size()> requests;
  std::vector<std::array<Count, 4>> findings;  // by rule, by Action
  std::array<Count, 2> patches;                // of CREATE, of UPDATE
  std::array<Count, kFaultCount> bad_reviews;
  std::array<Count, kHttpFaultCount> http_faults;
  std::array<Count, kDurationBuckets.size() + 1> durations;
  Count duration_nanoseconds;
  Count connections_opened;
  Count connections_closed;
  Evictions evictions;
  Count handshake_failures;
};

class Metrics final : public prometheus::Collectable {
 public:
  explicit Metrics(std::string kubernetes_version);

  /// A shard for one more thread; lives as long as the metrics. Not thread-safe.
  Shard& add_shard();

  /// Counts a finding; an id that no table knows is not counted.
  void count_finding(Shard& shard, const Finding& finding) const;

  /// From the thread that watches the certificate.
  void set_certificate_expiry(std::chrono::sys_seconds not_after) {
    certificate_expiry_.store(not_after.time_since_epoch().count(), std::memory_order_relaxed);
  }
  Count reloads;
  Count reload_failures;

  std::size_t open_connections() const;

  std::vector<prometheus::MetricFamily> Collect() const override;

  /// In the text format of Prometheus.
  std::string text() const;

 private:
  std::uint64_t sum(auto&& pick) const;

  std::string kubernetes_version_;
  NameTable ids_;  // of rules and advice
  std::vector<std::unique_ptr<Shard>> shards_;
  std::atomic<std::int64_t> certificate_expiry_{0};
};

}  // namespace winadmit::server
