#include "server/telemetry/metrics.hpp"

#include <prometheus/text_serializer.h>

#include <algorithm>
#include <iterator>
#include <limits>

#include "policy/judge/advice.hpp"
#include "server/telemetry/build_info.hpp"
#include "server/telemetry/log.hpp"

namespace winadmit::server {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

constexpr std::array<std::string_view, 4> kActions = {"allow", "warn", "deny", "strip"};
constexpr std::array<std::string_view, 2> kPatchedOperations = {"CREATE", "UPDATE"};

using Labels = std::vector<std::pair<std::string, std::string>>;

ClientMetric labelled(const Labels& labels) {
  ClientMetric metric;
  for (const auto& [name, value] : labels) metric.label.push_back({name, value});
  return metric;
}

MetricFamily family(std::string name, std::string help, MetricType type) {
  MetricFamily made;
  made.name = std::move(name);
  made.help = std::move(help);
  made.type = type;
  return made;
}

void add_counter(MetricFamily& to, const Labels& labels, std::uint64_t value) {
  ClientMetric metric = labelled(labels);
  metric.counter.value = static_cast<double>(value);
  to.metric.push_back(std::move(metric));
}

MetricFamily counter(std::string name, std::string help, std::uint64_t value) {
  MetricFamily made = family(std::move(name), std::move(help), MetricType::Counter);
  add_counter(made, {}, value);
  return made;
}

MetricFamily gauge(std::string name, std::string help, const Labels& labels, double value) {
  MetricFamily made = family(std::move(name), std::move(help), MetricType::Gauge);
  ClientMetric metric = labelled(labels);
  metric.gauge.value = value;
  made.metric.push_back(std::move(metric));
  return made;
}

}  // namespace

std::string_view to_string(HttpFault fault) {
  static constexpr std::array<std::string_view, kHttpFaultCount> kNames = {
      "not_found", "method", "content_type", "too_large", "header_too_large",
      "bad_http",  "busy",   "timeout",      "internal"};
  return kNames[static_cast<std::size_t>(fault)];
}

void Shard::observe(std::chrono::nanoseconds duration) {
  const auto microseconds = std::chrono::ceil<std::chrono::microseconds>(duration).count();
  const auto bucket = std::ranges::lower_bound(kDurationBuckets, microseconds);
  durations[static_cast<std::size_t>(bucket - kDurationBuckets.begin())].add();
  duration_nanoseconds.add(static_cast<std::uint64_t>(duration.count()));
}

Metrics::Metrics(std::string kubernetes_version)
    : kubernetes_version_(std::move(kubernetes_version)) {
  for (const Rule& rule : rules()) ids_.add(rule.id);
  for (const Advice& advice : advices()) ids_.add(advice.id);
}

Shard& Metrics::add_shard() {
  return *shards_.emplace_back(std::make_unique<Shard>(ids_.names().size()));
}

void Metrics::count_finding(Shard& shard, const Finding& finding) const {
  const int at = ids_.find(finding.id);
  if (at == NameTable::kNone) return;
  shard.findings[static_cast<std::size_t>(at)][static_cast<std::size_t>(finding.action)].add();
}

std::uint64_t Metrics::sum(auto&& pick) const {
  std::uint64_t total = 0;
  for (const auto& shard : shards_) total += pick(*shard).value();
  return total;
}

std::size_t Metrics::open_connections() const {
  const auto closed =
      sum([](const Shard& shard) -> const Count& { return shard.connections_closed; });
  return sum([](const Shard& shard) -> const Count& { return shard.connections_opened; }) - closed;
}

std::vector<MetricFamily> Metrics::Collect() const {
  std::vector<MetricFamily> all;

  MetricFamily requests = family("winadmit_requests_total",
                                 "Reviews answered, by path and decision.", MetricType::Counter);
  for (std::size_t route = 0; route < kRoutes.size(); ++route) {
    for (std::size_t outcome = 0; outcome < kOutcomeCount; ++outcome) {
      add_counter(requests,
                  {{"path", std::string(kRoutes[route].path)},
                   {"decision", std::string(to_string(static_cast<Outcome>(outcome)))}},
                  sum([&](Shard& shard) -> Count& { return shard.requests[route][outcome]; }));
    }
  }
  all.push_back(std::move(requests));

  MetricFamily findings =
      family("winadmit_findings_total", "Findings in Windows pods, by rule and action.",
             MetricType::Counter);
  for (std::size_t rule = 0; rule < ids_.names().size(); ++rule) {
    for (const Action action : {Action::warn, Action::deny}) {
      const auto index = static_cast<std::size_t>(action);
      add_counter(
          findings,
          {{"rule", std::string(ids_.names()[rule])}, {"action", std::string(kActions[index])}},
          sum([&](Shard& shard) -> Count& { return shard.findings[rule][index]; }));
    }
  }
  all.push_back(std::move(findings));

  MetricFamily patches =
      family("winadmit_patches_total", "Objects patched, by the operation of the request.",
             MetricType::Counter);
  for (std::size_t i = 0; i < kPatchedOperations.size(); ++i) {
    add_counter(patches, {{"operation", std::string(kPatchedOperations[i])}},
                sum([&](Shard& shard) -> Count& { return shard.patches[i]; }));
  }
  all.push_back(std::move(patches));

  MetricFamily bad = family("winadmit_bad_requests_total",
                            "Requests that could not be judged, by reason.", MetricType::Counter);
  for (std::size_t i = 0; i < kFaultCount; ++i) {
    add_counter(bad, {{"reason", std::string(to_string(static_cast<Fault>(i)))}},
                sum([&](Shard& shard) -> Count& { return shard.bad_reviews[i]; }));
  }
  for (std::size_t i = 0; i < kHttpFaultCount; ++i) {
    add_counter(bad, {{"reason", std::string(to_string(static_cast<HttpFault>(i)))}},
                sum([&](Shard& shard) -> Count& { return shard.http_faults[i]; }));
  }
  all.push_back(std::move(bad));

  MetricFamily duration =
      family("winadmit_request_duration_seconds",
             "Time from a request's last byte to its answer, parsing and decision included.",
             MetricType::Histogram);
  ClientMetric histogram;
  std::uint64_t cumulative = 0;
  for (std::size_t i = 0; i <= kDurationBuckets.size(); ++i) {
    cumulative += sum([&](Shard& shard) -> Count& { return shard.durations[i]; });
    const double bound = i < kDurationBuckets.size()
                             ? static_cast<double>(kDurationBuckets[i]) / 1e6
                             : std::numeric_limits<double>::infinity();
    histogram.histogram.bucket.push_back({cumulative, bound});
  }
  histogram.histogram.sample_count = cumulative;
  histogram.histogram.sample_sum =
      static_cast<double>(sum([](Shard& shard) -> Count& { return shard.duration_nanoseconds; })) /
      1e9;
  duration.metric.push_back(std::move(histogram));
  all.push_back(std::move(duration));

  const auto opened = sum([](Shard& shard) -> Count& { return shard.connections_opened; });
  const auto closed = sum([](Shard& shard) -> Count& { return shard.connections_closed; });
  all.push_back(counter("winadmit_connections_total", "Connections accepted.", opened));
  all.push_back(gauge("winadmit_connections", "Connections open now.", {},
                      static_cast<double>(opened) - static_cast<double>(closed)));
  MetricFamily evicted =
      family("winadmit_connections_evicted_total",
             "Connections closed because others needed what they held.", MetricType::Counter);
  add_counter(evicted, {{"for", "connections"}},
              sum([](Shard& shard) -> Count& { return shard.evictions.for_clients; }));
  add_counter(evicted, {{"for", "memory"}},
              sum([](Shard& shard) -> Count& { return shard.evictions.for_bytes; }));
  add_counter(evicted, {{"for", "handshakes"}},
              sum([](Shard& shard) -> Count& { return shard.evictions.for_handshakes; }));
  all.push_back(std::move(evicted));
  all.push_back(counter("winadmit_log_lines_lost_total", "Log lines that could not be written.",
                        lost_log_lines()));
  all.push_back(counter("winadmit_tls_handshake_failures_total", "TLS handshakes that failed.",
                        sum([](Shard& shard) -> Count& { return shard.handshake_failures; })));
  all.push_back(gauge("winadmit_certificate_expiry_timestamp_seconds",
                      "When the certificate that is served ends, as a Unix time.", {},
                      static_cast<double>(certificate_expiry_.load(std::memory_order_relaxed))));
  MetricFamily reloaded =
      family("winadmit_certificate_reloads_total",
             "Certificate pairs found on disk, by what became of them.", MetricType::Counter);
  add_counter(reloaded, {{"result", "success"}}, reloads.value());
  add_counter(reloaded, {{"result", "failure"}}, reload_failures.value());
  all.push_back(std::move(reloaded));
  all.push_back(gauge("winadmit_build_info", "Constant 1, labelled by version.",
                      {{"version", std::string(kVersion)},
                       {"kubernetes_version", kubernetes_version_},
                       {"compiler", std::string(kCompiler)}},
                      1));
  return all;
}

std::string Metrics::text() const { return prometheus::TextSerializer().Serialize(Collect()); }

}  // namespace winadmit::server
