#include "server/server.hpp"

#include <malloc.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <stdexcept>
#include <thread>

#include "certs/issue.hpp"
#include "certs/watch.hpp"
#include "server/admin.hpp"
#include "server/export/webhook_configurations.hpp"
#include "server/processors.hpp"
#include "server/scope_exit.hpp"
#include "server/telemetry/log.hpp"
#include "server/telemetry/metrics.hpp"
#include "server/transport/descriptors.hpp"
#include "server/transport/endpoint.hpp"
#include "server/transport/listener.hpp"
#include "server/transport/spawn.hpp"

namespace winadmit::server {
namespace {

using SignalSet = asio::basic_signal_set<Executor>;

constexpr std::chrono::milliseconds kDrainPollInterval{20};

/// Stand for the files of the pair that `--dev` makes in memory.
constexpr const char* kDevCertificate = "self-signed certificate";
constexpr const char* kDevKey = "key of the self-signed certificate";

/// As many connections as there are file descriptors for, and the same number for each thread, at
/// least one.
Limits limit_connections(Limits limits, const ConnectionLimits& connections, unsigned threads) {
  const std::size_t served = std::max<std::size_t>(connections.webhook / threads, 1) * threads;
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
        connections_(raise_descriptor_limit(
            {.webhook = options.limits.max_connections, .admin = Admin::kMaxConnections})),
        threads_(options.threads != 0 ? options.threads : allowed_processors()),
        limits_(limit_connections(options.limits, connections_, threads_)),
        policy_(options.config.policy),
        metrics_(to_string(options.config.policy.kubernetes), limits_.max_connections),
        watcher_(make_watcher()),
        large_review_thread_(
            std::make_unique<LargeReviewThread>(make_handler(metrics_.add_thread()))),
        workers_(make_workers()),
        listener_(parse_endpoint(options.listen), workers_, first_context()),
        admin_(parse_endpoint(options.admin_listen), metrics_, connections_.admin),
        signals_(loop(), SIGTERM, SIGINT) {
    check_match_conditions();
  }

  /// The large review thread posts to the loops, so it ends first. Handlers of the first loop may
  /// still wait in the other loops, so these are destroyed before it.
  ~Server() {
    large_review_thread_.reset();
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
    if (has_failed_) throw std::runtime_error("stopped: a background task failed");
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
            "the matchConditions of the webhook configurations are for another configuration: the "
            "API server may not send all Windows pods")
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
                                                 *large_review_thread_));
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

  TlsContext first_context() {
    const certs::Watcher::Change change = watcher_.poll();
    if (!change.error.empty()) throw Error(change.error);
    log_warnings(change);
    warn_of_expiry();
    return std::move(context_);
  }

  certs::Watcher make_watcher() {
    const auto serve = [this](const certs::Pair& pair, std::vector<certs::Certificate> client_cas) {
      make_context(pair, std::move(client_cas));
    };
    if (!options_.dev) return {{options_.tls_cert, options_.tls_key, options_.client_ca}, serve};
    const auto read = [pem = certs::issue_self_signed()](const std::filesystem::path& file) {
      if (file == kDevCertificate) return pem.certificate;
      return file == kDevKey ? pem.key : certs::read_served_file(file);
    };
    return {{kDevCertificate, kDevKey, options_.client_ca}, serve, read};
  }

  static void log_warnings(const certs::Watcher::Change& change) {
    for (const std::string& warning : change.warnings)
      LogLine(spdlog::level::warn, "certificate served with warnings").with("warning", warning);
  }

  void make_context(const certs::Pair& pair, std::vector<certs::Certificate> client_cas) {
    context_ =
        make_tls_context(pair, {.cas = std::move(client_cas), .names = options_.client_names});
    const certs::Description served = certs::describe(pair.leaf());
    metrics_.set_certificate_lifetime(served.not_before, served.not_after);
  }

  /// Logs once that the served certificate is about to expire, and once that it has expired.
  void warn_of_expiry() {
    std::string warning = certificate_warning(metrics_);
    if (warning == expiry_warning_) return;
    expiry_warning_ = std::move(warning);
    if (expiry_warning_.empty()) return;
    LogLine(spdlog::level::warn, expiry_warning_)
        .with("cause", "the pair was not renewed, or its files were not updated");
  }

  Task<void> watch_certificate() {
    Timer timer(loop());
    for (;;) {
      timer.expires_after(options_.reload_interval);
      co_await timer.async_wait(use_task);
      reload();
    }
  }

  /// Serves a new pair if it is complete and valid, else still the old one.
  void reload() {
    const certs::Watcher::Change change = watcher_.poll();
    if (change.has_failed) metrics_.reload_failures.add();
    if (change.served) {
      listener_.set_context(std::move(context_));
      metrics_.reloads.add();
      LogLine(spdlog::level::info, "certificate reloaded")
          .with("not_after", certs::to_string(change.served->not_after));
      log_warnings(change);
    }
    if (!change.error.empty()) {
      LogLine(spdlog::level::err, "certificate not reloaded; still serving the old certificate")
          .with("error", change.error);
    }
    warn_of_expiry();
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
  const ConnectionLimits connections_;
  const unsigned threads_;
  const Limits limits_;
  Policy policy_;
  Metrics metrics_;
  certs::Watcher watcher_;
  TlsContext context_;          // set by make_context(), moved to the listener
  std::string expiry_warning_;  // the last that was logged
  std::unique_ptr<LargeReviewThread> large_review_thread_;
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
  // By default glibc returns the pages of each body to the kernel: a review of 512 KB takes 607 us
  // instead of 341 us. Blocks of 1 MiB and more are still returned at once, the others by the
  // malloc_trim() of the admin port.
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  const ScopeExit flush([] { flush_log(); });
  Server server(options);
  started(server.endpoint(), server.admin_endpoint());
  server.run();
}

}  // namespace winadmit::server
