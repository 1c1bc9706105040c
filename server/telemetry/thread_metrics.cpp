#include "server/telemetry/thread_metrics.hpp"

#include <algorithm>

namespace winadmit::server {

ThreadMetrics::ThreadMetrics(const NameTable& ids, NamespaceCounts& changes)
    : finding_ids(ids), default_os_changes(changes), findings(ids.names().size()) {}

void ThreadMetrics::count_review(const Route& route, Decision decision,
                                 std::chrono::nanoseconds duration) {
  reviews[static_cast<std::size_t>(&route - kRoutes.data())][static_cast<std::size_t>(decision)]
      .add();
  const auto microseconds = std::chrono::ceil<std::chrono::microseconds>(duration).count();
  const auto bucket = std::ranges::lower_bound(kDurationBuckets, microseconds);
  durations[static_cast<std::size_t>(bucket - kDurationBuckets.begin())].add();
  duration_nanoseconds.add(static_cast<std::uint64_t>(duration.count()));
}

void ThreadMetrics::count_finding(const Finding& finding, Mode mode) {
  const int at = finding_ids.find(finding.id);
  if (at == NameTable::kNotFound) return;
  // A field to strip that is still there is a warning.
  const Action action = finding.action == Action::strip ? Action::warn : finding.action;
  findings[static_cast<std::size_t>(at)][static_cast<std::size_t>(action)]
          [static_cast<std::size_t>(mode)]
              .add();
}

}  // namespace winadmit::server
