#include "server/telemetry/metrics.hpp"

#include <gtest/gtest.h>
#include <prometheus/metric_family.h>

#include <algorithm>
#include <set>

#include "tests/server/handler/reviewer.hpp"

namespace winadmit::server {
namespace {

bool has_line(const Metrics& metrics, const std::string& line) {
  return metrics.text().find('\n' + line + '\n') != std::string::npos;
}

/// "name{label=value,...}" of every sample.
std::set<std::string> series_of(const Metrics& metrics) {
  std::set<std::string> series;
  for (const auto& family : metrics.collect()) {
    for (const auto& metric : family.metric) {
      std::string name = family.name + '{';
      for (const auto& label : metric.label) name += label.name + '=' + label.value + ',';
      EXPECT_TRUE(series.insert(name + '}').second) << name << " appears twice";
    }
  }
  return series;
}

TEST(Metrics, PrintTheFamiliesThatAreDocumented) {
  const auto families = metric_families();
  const auto collected = Metrics("1.36").collect();
  ASSERT_EQ(collected.size(), families.size());
  for (std::size_t i = 0; i < families.size(); ++i) {
    SCOPED_TRACE(families[i].name);
    EXPECT_EQ(collected[i].name, families[i].name);
    EXPECT_TRUE(collected[i].name.starts_with("winadmit_") ||
                collected[i].name.starts_with("process_"));
    EXPECT_EQ(collected[i].name.ends_with("_total"), families[i].type == "counter");
    EXPECT_TRUE(families[i].help.ends_with('.'));
    for (const auto& metric : collected[i].metric) {
      std::vector<std::string_view> labels;
      for (const auto& label : metric.label) labels.push_back(label.name);
      labels.resize(families[i].labels.size());
      EXPECT_TRUE(std::ranges::equal(labels, families[i].labels));
    }
  }
}

TEST(Metrics, HaveLabelsFromClosedSetsWhateverClientsSend) {
  test::Reviewer reviewer;
  const auto before = series_of(reviewer.metrics());
  const std::string odd = "odd\"\n\\{}";
  test::Json review = test::create(test::with_host_pid(test::windows_pod()));
  reviewer.send("/validate", review);
  reviewer.send("/mutate", review);
  for (const char* member : {"uid", "operation", "namespace", "name", "subResource"}) {
    test::Json changed = review;
    test::request(changed)[member] = odd;
    reviewer.send("/validate", changed);
  }
  test::request(review)["kind"]["kind"] = odd;
  reviewer.send("/validate", review);
  reviewer.post("/validate", odd);
  reviewer.post("/" + odd, "{}");
  reviewer.handle(odd, "/validate", odd, "{}");
  EXPECT_EQ(series_of(reviewer.metrics()), before);
}

TEST(Metrics, CountWhatTheDefaultOsWouldChangeByNamespace) {
  test::Reviewer reviewer;
  test::Json review = test::create(test::pod(test::Json::object()));
  const auto send = [&](const std::string& name_space) {
    test::request(review)["namespace"] = name_space;
    reviewer.send("/mutate/audit/default-linux", review);
  };
  const std::string line = "winadmit_default_os_changes_total{object_namespace=";
  EXPECT_EQ(reviewer.metrics().text().find(line), std::string::npos);
  send("team-a");
  send("team-a");
  EXPECT_TRUE(has_line(reviewer.metrics(), line + "\"team-a\"} 2"));
  for (std::size_t i = 1; i < NamespaceCounts::kMaxNamespaces; ++i) send(std::to_string(i));
  send("one-more");
  send("team-a");
  send(std::string(64, 'x'));
  EXPECT_TRUE(has_line(reviewer.metrics(), line + "\"team-a\"} 3"));
  EXPECT_TRUE(has_line(reviewer.metrics(), line + "\"(others)\"} 2"));
  EXPECT_EQ(reviewer.metrics().default_os_changes().size(), NamespaceCounts::kMaxNamespaces + 1);
}

TEST(Metrics, KeepTheReasonsOfBadRequests) {
  const Metrics metrics("1.36");
  const std::vector<std::string_view> reasons = {
      "empty_body",   "not_json",    "not_a_review",     "unknown_version", "no_request",
      "no_uid",       "bad_request", "bad_object",       "not_found",       "method",
      "content_type", "too_large",   "header_too_large", "bad_http",        "busy",
      "timeout",      "aborted",     "internal"};
  for (const std::string_view reason : reasons) {
    EXPECT_TRUE(
        has_line(metrics, "winadmit_bad_requests_total{reason=\"" + std::string(reason) + "\"} 0"))
        << reason;
  }
  EXPECT_EQ(kBadRequestReasonNames.size(), reasons.size()) << "name the new ones here";
}

TEST(Metrics, AreSumsOverTheThreads) {
  Metrics metrics("1.36");
  ThreadMetrics& first = metrics.add_thread();
  ThreadMetrics& second = metrics.add_thread();
  first.connections_opened.add(3);
  second.connections_opened.add(4);
  second.connections_closed.add(2);
  first.evictions.for_memory.add();
  second.refusals.at_accept.add();
  second.handshake_failure(HandshakeFailure::untrusted).add();
  first.bad_request(BadRequestReason::timeout).add();
  second.bad_request(BadRequestReason::timeout).add();
  EXPECT_EQ(metrics.open_connections(), 5U);
  EXPECT_TRUE(has_line(metrics, "winadmit_connections_total 7"));
  EXPECT_TRUE(has_line(metrics, "winadmit_connections 5"));
  EXPECT_TRUE(has_line(metrics, "winadmit_connections_evicted_total{for=\"memory\"} 1"));
  EXPECT_TRUE(has_line(metrics, "winadmit_connections_refused_total{reason=\"accept\"} 1"));
  EXPECT_TRUE(has_line(metrics, "winadmit_tls_handshake_failures_total{reason=\"untrusted\"} 1"));
  EXPECT_TRUE(has_line(metrics, "winadmit_bad_requests_total{reason=\"timeout\"} 2"));
}

TEST(Metrics, HaveThoseOfTheProcessThatDashboardsOfOtherProgramsUse) {
  const auto families = Metrics("1.36").collect();
  for (const char* name : {"process_cpu_seconds_total", "process_resident_memory_bytes",
                           "process_virtual_memory_bytes", "process_open_fds", "process_max_fds",
                           "process_start_time_seconds"}) {
    SCOPED_TRACE(name);
    const auto family = std::ranges::find(families, name, &prometheus::MetricFamily::name);
    ASSERT_NE(family, families.end());
    ASSERT_EQ(family->metric.size(), 1U);
    const auto& sample = family->metric[0];
    EXPECT_GT(
        family->type == prometheus::MetricType::Counter ? sample.counter.value : sample.gauge.value,
        0);
  }
}

TEST(Metrics, ShowTheLimitOfConnections) {
  EXPECT_TRUE(has_line(Metrics("1.36", 4096), "winadmit_connections_limit 4096"));
}

TEST(Metrics, ShowTheCertificateAndTheBuild) {
  Metrics metrics("1.30");
  using std::chrono::seconds, std::chrono::sys_seconds;
  metrics.set_certificate_lifetime(sys_seconds(seconds(1'790'000'000)),
                                   sys_seconds(seconds(1'800'000'000)));
  metrics.reload_failures.add(2);
  EXPECT_TRUE(has_line(metrics, "winadmit_certificate_not_before_timestamp_seconds 1790000000"));
  EXPECT_TRUE(has_line(metrics, "winadmit_certificate_expiry_timestamp_seconds 1800000000"));
  EXPECT_TRUE(has_line(metrics, "winadmit_certificate_reloads_total{result=\"failure\"} 2"));
  EXPECT_NE(metrics.text().find("kubernetes_version=\"1.30\""), std::string::npos);
}

}  // namespace
}  // namespace winadmit::server
