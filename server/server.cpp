#include "server/server.hpp"

#include <algorithm>
#include <atomic>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <memory>
#include <stdexcept>
#include <thread>

#include "export/webhook_configurations.hpp"
#include "server/admin.hpp"
#include "server/memory.hpp"
#include "server/processors.hpp"
#include "server/served_certificate.hpp"
#include "server/telemetry/exemption_ends.hpp"
#include "server/telemetry/log.hpp"
#include "server/telemetry/metrics.hpp"
#include "server/transport/descriptors.hpp"
#include "server/transport/endpoint.hpp"
#include "server/transport/listener.hpp"
#include "server/transport/scope_exit.hpp"
#include "server/transport/spawn.hpp"

namespace winadmit::server {
namespace {

using SignalSet = asio::basic_signal_set<Executor>;

constexpr std::chrono::milliseconds kDrainPollInterval{20};
constexpr std::chrono::seconds kExemptionPollInterval{60};

/// As many connections as there are file descriptors for, and the same number for each thread, at
/// least one.
Limits limit_connections(Limits limits, const ConnectionCounts& connections, unsigned threads) {
  const std::size_t served = share_of(connections.webhook, threads) * threads;
  if (connections.webhook < limits.max_connections) {
    LogLine(spdlog::level::warn, "too few file descriptors for --max-connections")
        .with("wanted", limits.max_connections)
        .with("served", served);
  }
  limits.max_connections = served;
  return limits;
}

using Workers = std::vector<std::unique_ptr<Worker>>;

void stop_loops(const Workers& workers) {
  for (const auto& worker : workers) worker->loop.stop();
}

class Server {
 public:
  explicit Server(const Options& options)
      : options_(options),
        threads_(options.threads != 0 ? options.threads : allowed_processors()),
        connections_(raise_descriptor_limit(
            {.webhook = options.limits.max_connections, .admin = Admin::kMaxConnections},
            threads_)),
        limits_(limit_connections(options.limits, connections_, threads_)),
        policy_(options.config.policy),
        metrics_(to_string(options.config.policy.kubernetes), limits_.max_connections),
        certificate_(options.certificate, metrics_),
        large_reviews_(std::make_unique<LargeReviews>(make_handler(metrics_.add_thread()))),
        workers_(make_workers()),
        listener_(parse_endpoint(options.listen), workers_, certificate_.load()),
        admin_(parse_endpoint(options.admin_listen), metrics_, connections_.admin),
        signals_(loop(), SIGTERM, SIGINT) {
    check_match_conditions();
  }

  /// The thread of large reviews posts to the loops, so it ends first. Handlers of the first loop
  /// may still wait in the other loops, so these are destroyed before it.
  ~Server() {
    large_reviews_.reset();
    workers_.resize(1);
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  Tcp::endpoint endpoint() const { return listener_.endpoint(); }
  Tcp::endpoint admin_endpoint() const { return admin_.endpoint(); }

  void run() {
    start_tasks();
    run_loops();
    admin_.stop();
    if (has_failed_)
      throw std::runtime_error("stopped: a background task failed; the log says which");
  }

 private:
  asio::io_context& loop() { return workers_.front()->loop; }

  void start_tasks() {
    for (const auto& worker : workers_) {
      spawn(*worker, "deadlines", worker->watch_deadlines());
    }
    Worker& first = *workers_.front();
    spawn(first, "listener", listener_.accept());
    spawn(first, "certificate", watch_certificate());
    spawn(first, "exemptions", watch_exemptions());
    spawn_server_task(first.loop, "signals", drain_on_signal(), [this] {
      has_failed_ = true;
      stop(SIGTERM);
    });
  }

  void check_match_conditions() {
    const auto& annotation = options_.match_conditions;
    if (!annotation || match_conditions_fit(*annotation, options_.config)) return;
    metrics_.set_match_conditions_mismatch();
    LogLine(spdlog::level::warn,
            "the webhook configurations are for another configuration: the API server may not send "
            "all pods that this one is about")
        .with("found", *annotation)
        .with("expected", match_conditions_hash(options_.config));
  }

  /// Runs a loop on each thread, the first one on this thread, until they are stopped.
  void run_loops() {
    std::vector<std::jthread> threads;
    const ScopeExit stop_threads([this] { stop_loops(workers_); });
    for (std::size_t i = 1; i < workers_.size(); ++i) {
      threads.emplace_back([worker = workers_[i].get()] { worker->run(); });
    }
    admin_.start([this] { fail(); });  // last, so that /readyz answers when all threads run
    workers_.front()->run();
  }

  Handler make_handler(ThreadMetrics& metrics) const {
    return Handler(policy_, options_.config.exempt, metrics);
  }

  Workers make_workers() {
    Workers workers;
    for (unsigned i = 0; i < threads_; ++i) {
      ThreadMetrics& metrics = metrics_.add_thread();
      workers.push_back(std::make_unique<Worker>(limits_, threads_, make_handler(metrics), metrics,
                                                 *large_reviews_));
    }
    return workers;
  }

  void spawn(Worker& worker, std::string name, Task<void> task) {
    spawn_server_task(worker.loop, std::move(name), std::move(task), [this] { fail(); });
  }

  /// Drains the server after the failure of a task; the process then ends with an error.
  /// Thread-safe.
  void fail() {
    // A second signal would stop the server at once.
    if (!has_failed_.exchange(true) && !is_draining_) std::raise(SIGTERM);
  }

  Task<void> watch_certificate() {
    Timer timer(loop());
    for (;;) {
      timer.expires_after(options_.reload_interval);
      co_await timer.async_wait(use_task);
      if (auto context = certificate_.reload()) listener_.set_context(std::move(*context));
    }
  }

  Task<void> watch_exemptions() {
    using std::chrono::system_clock;
    ExemptionEnds ends(options_.config.exempt.findings);
    Timer timer(loop());
    for (;;) {
      ends.log(std::chrono::floor<std::chrono::days>(system_clock::now()));
      if (!ends.are_pending()) co_return;
      timer.expires_after(kExemptionPollInterval);
      co_await timer.async_wait(use_task);
    }
  }

  Task<void> drain_on_signal() {
    const int signal = co_await signals_.async_wait(use_task);
    is_draining_ = true;
    LogLine(spdlog::level::info, "draining").with("signal", signal);
    signals_.async_wait([this](const error_code& error, int second) {
      if (!error) stop(second);
    });
    admin_.set_ready(false);
    // New requests arrive until all kube-proxies have updated their endpoints. They are answered
    // with "Connection: close".
    for (const auto& worker : workers_) worker->close_after_replies();
    Timer timer(loop());
    timer.expires_after(options_.drain_delay);
    co_await timer.async_wait(use_task);

    co_await listener_.close();
    for (const auto& worker : workers_) worker->drain();
    const auto deadline = Clock::now() + options_.drain_timeout;
    while (metrics_.open_connections() > 0 && Clock::now() < deadline) {
      timer.expires_after(kDrainPollInterval);
      co_await timer.async_wait(use_task);
    }
    stop(signal);
  }

  void stop(int signal) {
    LogLine(spdlog::level::info, "stopped")
        .with("signal", signal)
        .with("connections_cut", metrics_.open_connections());
    stop_loops(workers_);
  }

  const Options& options_;
  const unsigned threads_;
  const ConnectionCounts connections_;
  const Limits limits_;
  Policy policy_;
  Metrics metrics_;
  ServedCertificate certificate_;
  std::unique_ptr<LargeReviews> large_reviews_;
  Workers workers_;
  Listener listener_;
  Admin admin_;
  SignalSet signals_;
  std::atomic<bool> has_failed_ = false;
  std::atomic<bool> is_draining_ = false;
};

}  // namespace

void serve(const Options& options,
           const std::function<void(const Tcp::endpoint&, const Tcp::endpoint&)>& started) {
  std::signal(SIGPIPE, SIG_IGN);  // standard output may be a closed pipe
  keep_memory_of_bodies();
  const ScopeExit flush([] { flush_log(); });
  Server server(options);
  started(server.endpoint(), server.admin_endpoint());
  server.run();
}

}  // namespace winadmit::server
