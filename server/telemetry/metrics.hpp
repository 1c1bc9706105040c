// The metrics of the process: the counters of its threads, summed and printed by prometheus-cpp.
#pragma once

#include <prometheus/metric_family.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "policy/json/name_table.hpp"
#include "server/telemetry/thread_metrics.hpp"

namespace winadmit::server {

/// One family of metrics, as the reference documentation lists it.
struct MetricFamily {
  std::string_view name;
  std::string_view type;                   // counter, gauge or histogram
  std::array<std::string_view, 3> labels;  // the last ones may be empty: there are fewer
  std::string_view help;
};

/// All families, in the order in which they are printed.
std::vector<MetricFamily> metric_families();

class Metrics {
 public:
  /// `connection_limit`: of all threads.
  explicit Metrics(std::string kubernetes_version, std::size_t connection_limit = 0);

  /// Counters for one more thread. They live as long as the metrics. Not thread-safe.
  ThreadMetrics& add_thread();

  /// Only the thread that watches the certificate writes these.
  void set_certificate_lifetime(std::chrono::sys_seconds not_before,
                                std::chrono::sys_seconds not_after) {
    certificate_not_before_.store(not_before.time_since_epoch().count(), std::memory_order_relaxed);
    certificate_not_after_.store(not_after.time_since_epoch().count(), std::memory_order_relaxed);
  }
  /// Set before the threads start.
  void set_match_conditions_mismatch() { match_conditions_mismatch_ = true; }

  Counter reloads;
  Counter reload_failures;

  std::size_t open_connections() const;
  /// Unix timestamps; 0 before there is a certificate.
  std::int64_t certificate_not_before() const {
    return certificate_not_before_.load(std::memory_order_relaxed);
  }
  std::int64_t certificate_not_after() const {
    return certificate_not_after_.load(std::memory_order_relaxed);
  }
  std::size_t connection_limit() const { return connection_limit_; }
  bool match_conditions_mismatch() const { return match_conditions_mismatch_; }
  const std::string& kubernetes_version() const { return kubernetes_version_; }
  const NameTable& finding_ids() const { return finding_ids_; }
  NamespaceCounts::Counts default_os_changes() const { return default_os_changes_.counts(); }

  /// The sum over all threads of the counter that `pick` returns for each.
  std::uint64_t sum(auto&& pick) const {
    std::uint64_t total = 0;
    for (const auto& thread : threads_) total += pick(std::as_const(*thread)).value();
    return total;
  }

  std::vector<prometheus::MetricFamily> collect() const;

  /// In the Prometheus text format.
  std::string text() const;

 private:
  std::string kubernetes_version_;
  std::size_t connection_limit_;
  NameTable finding_ids_;  // of rules and advice
  NamespaceCounts default_os_changes_;
  std::vector<std::unique_ptr<ThreadMetrics>> threads_;
  std::atomic<std::int64_t> certificate_not_before_{0};
  std::atomic<std::int64_t> certificate_not_after_{0};
  bool match_conditions_mismatch_ = false;
};

}  // namespace winadmit::server
