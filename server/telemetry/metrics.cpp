#include "server/telemetry/metrics.hpp"

#include <prometheus/text_serializer.h>

#include <functional>
#include <initializer_list>
#include <limits>
#include <optional>
#include <utility>

#include "config/build_info.hpp"
#include "policy/judge/advice_kinds.hpp"
#include "server/telemetry/log.hpp"
#include "server/telemetry/process_status.hpp"

namespace winadmit::server {
namespace {

using prometheus::MetricType;

/// Adds samples to one family.
class Samples {
 public:
  Samples(const MetricFamily& description, prometheus::MetricFamily& family)
      : description_(description), family_(family) {}

  /// A value for each label, in the order of the description.
  void add(std::initializer_list<std::string_view> label_values, auto value) {
    prometheus::ClientMetric& metric = family_.metric.emplace_back();
    const std::string_view* name = description_.labels.data();
    for (const std::string_view label_value : label_values) {
      metric.label.push_back({std::string(*name++), std::string(label_value)});
    }
    auto& sample = family_.type == MetricType::Gauge ? metric.gauge.value : metric.counter.value;
    sample = static_cast<double>(value);
  }

  void add(prometheus::ClientMetric::Histogram histogram) {
    family_.metric.emplace_back().histogram = std::move(histogram);
  }

 private:
  const MetricFamily& description_;
  prometheus::MetricFamily& family_;
};

void requests(const Metrics& metrics, Samples& samples) {
  for (std::size_t route = 0; route < kRoutes.size(); ++route) {
    for (std::size_t decision = 0; decision < kDecisionNames.size(); ++decision) {
      samples.add({kRoutes[route].path, kDecisionNames[decision]},
                  metrics.sum([&](const auto& thread) -> const Counter& {
                    return thread.reviews[route][decision];
                  }));
    }
  }
}

void findings(const Metrics& metrics, Samples& samples) {
  const auto& ids = metrics.finding_ids().names();
  for (std::size_t id = 0; id < ids.size(); ++id) {
    for (const Action action : {Action::warn, Action::deny}) {
      for (std::size_t mode = 0; mode < kModeNames.size(); ++mode) {
        samples.add({ids[id], to_string(action), kModeNames[mode]},
                    metrics.sum([&](const auto& thread) -> const Counter& {
                      return thread.findings[id][static_cast<std::size_t>(action)][mode];
                    }));
      }
    }
  }
}

/// A counter of the group `kGroup` of every thread, summed.
template <auto kGroup, typename Counters>
auto sum_of(const Metrics& metrics, Counter Counters::* counter) {
  return metrics.sum(
      [counter](const ThreadMetrics& thread) -> const Counter& { return thread.*kGroup.*counter; });
}

/// A sample for each name, of the counter at its place in the array `kCounters` of every thread.
template <const auto& kNames, auto kCounters>
void by_name(const Metrics& metrics, Samples& samples) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    samples.add({kNames[i]}, metrics.sum([i](const ThreadMetrics& thread) -> const Counter& {
      return (thread.*kCounters)[i];
    }));
  }
}

void evictions(const Metrics& metrics, Samples& samples) {
  const auto sum = [&](auto counter) {
    return sum_of<&ThreadMetrics::evictions>(metrics, counter);
  };
  samples.add({"connections"}, sum(&Evictions::for_connections));
  samples.add({"memory"}, sum(&Evictions::for_memory));
  samples.add({"handshakes"}, sum(&Evictions::for_handshakes));
}

void refusals(const Metrics& metrics, Samples& samples) {
  const auto sum = [&](auto counter) { return sum_of<&ThreadMetrics::refusals>(metrics, counter); };
  samples.add({"accept"}, sum(&Refusals::at_accept));
  samples.add({"handshakes"}, sum(&Refusals::in_handshake_queue));
  samples.add({"memory"}, sum(&Refusals::for_memory));
}

void durations(const Metrics& metrics, Samples& samples) {
  prometheus::ClientMetric::Histogram histogram;
  for (std::size_t i = 0; i <= kDurationBuckets.size(); ++i) {
    histogram.sample_count +=
        metrics.sum([&](const auto& thread) -> const Counter& { return thread.durations[i]; });
    const double bound = i < kDurationBuckets.size()
                             ? static_cast<double>(kDurationBuckets[i]) / 1e6
                             : std::numeric_limits<double>::infinity();
    histogram.bucket.push_back({histogram.sample_count, bound});
  }
  const auto nanoseconds = metrics.sum(std::mem_fn(&ThreadMetrics::duration_nanoseconds));
  histogram.sample_sum = static_cast<double>(nanoseconds) / 1e9;
  samples.add(std::move(histogram));
}

/// A family without labels whose value is one counter of each thread.
template <auto kCounter>
void total(const Metrics& metrics, Samples& samples) {
  samples.add({}, metrics.sum(std::mem_fn(kCounter)));
}

/// A family without labels, and without a sample where the system does not say the value.
template <std::optional<double> (*kRead)()>
void process(const Metrics&, Samples& samples) {
  if (const std::optional<double> value = kRead()) samples.add({}, *value);
}

struct Family {
  MetricFamily description;
  void (*collect)(const Metrics& metrics, Samples& samples);
};

constexpr auto kFamilies = std::to_array<Family>({
    {{"winadmit_requests_total",
      "counter",
      {"path", "decision"},
      "Reviews answered, by path and decision."},
     requests},
    {{"winadmit_findings_total",
      "counter",
      {"rule", "action", "mode"},
      "Findings in pods, by rule, action and mode of the path: the first 100 of each review. Only "
      "with deny and enforce is the request refused."},
     findings},
    {{"winadmit_patches_total",
      "counter",
      {"operation"},
      "Objects patched, by the operation of the request."},
     [](const Metrics& metrics, Samples& samples) {
       samples.add({"CREATE"}, metrics.sum(std::mem_fn(&ThreadMetrics::created_patches)));
       samples.add({"UPDATE"}, metrics.sum(std::mem_fn(&ThreadMetrics::updated_patches)));
     }},
    {{"winadmit_default_os_changes_total",
      "counter",
      {"object_namespace"},  // a target has the label namespace
      "Objects that the default OS would change where its mode is audit, by namespace: the first "
      "1,000, and (others)."},
     [](const Metrics& metrics, Samples& samples) {
       for (const auto& [name_space, count] : metrics.default_os_changes()) {
         samples.add({name_space}, count);
       }
     }},
    {{"winadmit_bad_requests_total",
      "counter",
      {"reason"},
      "Requests that could not be judged, by reason."},
     by_name<kBadRequestReasonNames, &ThreadMetrics::bad_requests>},
    {{"winadmit_request_duration_seconds",
      "histogram",
      {},
      "Time from the last byte of a request to its answer, including waits for other requests."},
     durations},
    {{"winadmit_connections_total", "counter", {}, "Connections accepted."},
     total<&ThreadMetrics::connections_opened>},
    {{"winadmit_connections", "gauge", {}, "Open connections."},
     [](const Metrics& metrics, Samples& samples) { samples.add({}, metrics.open_connections()); }},
    {{"winadmit_connections_limit",
      "gauge",
      {},
      "Connections that may be open: --max-connections, or less if there are too few file "
      "descriptors, and the same number for each thread."},
     [](const Metrics& metrics, Samples& samples) { samples.add({}, metrics.connection_limit()); }},
    {{"winadmit_connections_evicted_total",
      "counter",
      {"for"},
      "Connections closed to make room, by what was needed."},
     evictions},
    {{"winadmit_connections_refused_total",
      "counter",
      {"reason"},
      "Connections not served because the system could not accept them, too many waited for a "
      "handshake, or --max-buffered left no memory for theirs."},
     refusals},
    {{"winadmit_log_lines_lost_total", "counter", {}, "Log lines that could not be written."},
     [](const Metrics&, Samples& samples) { samples.add({}, lost_log_lines()); }},
    {{"winadmit_tls_handshake_failures_total",
      "counter",
      {"reason"},
      "TLS handshakes that failed, by reason: the client does not trust the certificate, refuses "
      "it as expired, has no certificate of --client-ca, speaks plain HTTP, or another."},
     by_name<kHandshakeFailureNames, &ThreadMetrics::handshake_failures>},
    {{"winadmit_certificate_not_before_timestamp_seconds",
      "gauge",
      {},
      "From when the served certificate is valid, as a Unix timestamp."},
     [](const Metrics& metrics, Samples& samples) {
       samples.add({}, metrics.certificate_not_before());
     }},
    {{"winadmit_certificate_expiry_timestamp_seconds",
      "gauge",
      {},
      "When the served certificate expires, as a Unix timestamp."},
     [](const Metrics& metrics, Samples& samples) {
       samples.add({}, metrics.certificate_not_after());
     }},
    {{"winadmit_certificate_reloads_total",
      "counter",
      {"result"},
      "Reloads of the certificate pair, and checks of the files that found a pair that cannot be "
      "served."},
     [](const Metrics& metrics, Samples& samples) {
       samples.add({"success"}, metrics.reloads.value());
       samples.add({"failure"}, metrics.reload_failures.value());
     }},
    {{"winadmit_match_conditions_mismatch",
      "gauge",
      {},
      "1 if the matchConditions of the webhook configurations are for another configuration."},
     [](const Metrics& metrics, Samples& samples) {
       samples.add({}, metrics.match_conditions_mismatch() ? 1 : 0);
     }},
    {{"winadmit_build_info",
      "gauge",
      {"version", "kubernetes_version", "compiler"},
      "Constant 1, labelled by version."},
     [](const Metrics& metrics, Samples& samples) {
       samples.add({kVersion, metrics.kubernetes_version(), kCompiler}, 1);
     }},
    // Named and described as by the client libraries of Prometheus.
    {{"process_cpu_seconds_total",
      "counter",
      {},
      "Total user and system CPU time spent in seconds."},
     process<process_cpu_seconds>},
    {{"process_resident_memory_bytes", "gauge", {}, "Resident memory size in bytes."},
     process<process_resident_bytes>},
    {{"process_virtual_memory_bytes", "gauge", {}, "Virtual memory size in bytes."},
     process<process_virtual_bytes>},
    {{"process_open_fds", "gauge", {}, "Number of open file descriptors."},
     process<process_open_descriptors>},
    {{"process_max_fds", "gauge", {}, "Maximum number of open file descriptors."},
     process<process_max_descriptors>},
    {{"process_start_time_seconds",
      "gauge",
      {},
      "Start time of the process since unix epoch in seconds."},
     process<process_start_time>},
});

MetricType type_of(const MetricFamily& family) {
  if (family.type == "histogram") return MetricType::Histogram;
  return family.type == "gauge" ? MetricType::Gauge : MetricType::Counter;
}

}  // namespace

std::vector<MetricFamily> metric_families() {
  std::vector<MetricFamily> all;
  all.reserve(kFamilies.size());
  for (const Family& each : kFamilies) all.push_back(each.description);
  return all;
}

Metrics::Metrics(std::string kubernetes_version, std::size_t connection_limit)
    : kubernetes_version_(std::move(kubernetes_version)), connection_limit_(connection_limit) {
  for (const std::string_view id : winadmit::finding_ids()) finding_ids_.add(id);
}

ThreadMetrics& Metrics::add_thread() {
  return *threads_.emplace_back(std::make_unique<ThreadMetrics>(finding_ids_, default_os_changes_));
}

std::size_t Metrics::open_connections() const {
  std::size_t open = 0;
  for (const auto& thread : threads_) open += thread->open_connections();
  return open;
}

std::vector<prometheus::MetricFamily> Metrics::collect() const {
  std::vector<prometheus::MetricFamily> all;
  for (const Family& each : kFamilies) {
    prometheus::MetricFamily& family = all.emplace_back();
    family.name = each.description.name;
    family.help = each.description.help;
    family.type = type_of(each.description);
    Samples samples(each.description, family);
    each.collect(*this, samples);
  }
  return all;
}

std::string Metrics::text() const { return prometheus::TextSerializer().Serialize(collect()); }

}  // namespace winadmit::server
