#include "server/server.hpp"

#include <malloc.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <fstream>
#include <thread>

#include "certs/issue.hpp"
#include "certs/watch.hpp"
#include "server/admin.hpp"
#include "server/listener.hpp"
#include "server/log.hpp"

namespace winadmit::server {
namespace {

using SignalSet = asio::basic_signal_set<Executor>;

/// "ADDRESS:PORT", an IPv6 address in brackets.
Tcp::endpoint parse_endpoint(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  error_code error;
  std::string host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  const auto address = asio::ip::make_address(host.empty() ? "0.0.0.0" : host, error);
  int port = -1;
  if (colon != std::string::npos) {
    const std::string digits = text.substr(colon + 1);
    if (!digits.empty() && digits.size() <= 5 &&
        digits.find_first_not_of("0123456789") == std::string::npos) {
      port = std::stoi(digits);
    }
  }
  if (error || port < 0 || port > 65535) {
    throw std::invalid_argument("'" + text + "' is not ADDRESS:PORT, such as 0.0.0.0:8443");
  }
  return {address, static_cast<std::uint16_t>(port)};
}

class Server {
 public:
  explicit Server(const Options& options)
      : options_(options),
        policy_(options.config.policy),
        metrics_(to_string(options.config.policy.kubernetes)),
        lanes_(make_lanes()),
        listener_(parse_endpoint(options.listen), lanes_, options_.limits, first_context()),
        admin_(first_loop(), parse_endpoint(options.admin_listen), metrics_),
        signals_(first_loop(), SIGTERM, SIGINT) {}

  Tcp::endpoint endpoint() const { return listener_.endpoint(); }
  Tcp::endpoint admin_endpoint() const { return admin_.endpoint(); }

  void run() {
    for (const auto& lane : lanes_)
      asio::co_spawn(lane->loop, watch_deadlines(*lane), asio::detached);
    asio::co_spawn(first_loop(), listener_.accept(), asio::detached);
    asio::co_spawn(first_loop(), admin_.accept(), asio::detached);
    asio::co_spawn(first_loop(), watch_certificate(), asio::detached);
    asio::co_spawn(first_loop(), drain_on_signal(), asio::detached);
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < lanes_.size(); ++i) {
      threads.emplace_back([lane = lanes_[i].get()] { lane->loop.run(); });
    }
    first_loop().run();
  }

 private:
  asio::io_context& first_loop() { return lanes_.front()->loop; }

  std::vector<std::unique_ptr<Lane>> make_lanes() {
    const unsigned count = options_.threads != 0 ? options_.threads : allowed_processors();
    std::vector<std::unique_ptr<Lane>> lanes;
    for (unsigned i = 0; i < count; ++i) {
      Shard& shard = metrics_.add_shard();
      lanes.push_back(std::make_unique<Lane>(
          options_.limits, Handler(policy_, options_.config.exempt, metrics_, shard), shard));
    }
    return lanes;
  }

  TlsContext first_context() {
    if (options_.dev) {
      make_context(certs::parse_pair(certs::issue_self_signed()));
    } else if (const std::string error = watcher_.poll().error; !error.empty()) {
      throw certs::Error(error);
    }
    return std::move(context_);
  }

  void make_context(const certs::Pair& pair) {
    context_ = make_tls_context(pair, options_.client_ca);
    metrics_.set_certificate_expiry(certs::describe(pair.leaf()).not_after);
  }

  Task<void> watch_certificate() {
    Timer timer(first_loop());
    while (!options_.dev) {
      timer.expires_after(options_.reload_interval);
      co_await timer.async_wait(use_task);
      reload();
    }
  }

  /// Never makes things worse: what is not whole is not served.
  void reload() {
    const std::uint64_t failures = watcher_.failures();
    const certs::Watcher::Change change = watcher_.poll();
    metrics_.reload_failures.add(watcher_.failures() - failures);
    if (change.served) {
      listener_.set_context(std::move(context_));
      metrics_.reloads.add();
      LogLine(spdlog::level::info, "certificate reloaded")
          .with("not_after", certs::to_string(change.served->not_after));
    }
    if (!change.error.empty()) {
      LogLine(spdlog::level::err, "certificate not reloaded; the old one is served on")
          .with("error", change.error);
    }
  }

  Task<void> drain_on_signal() {
    const int signal = co_await signals_.async_wait(use_task);
    LogLine(spdlog::level::info, "draining").with("signal", signal);
    admin_.set_ready(false);
    // Until the endpoints are updated everywhere, requests still come: they are answered, with
    // "Connection: close".
    for_each_worker([](Worker& worker) { worker.draining = true; });
    Timer timer(first_loop());
    timer.expires_after(options_.drain_delay);
    co_await timer.async_wait(use_task);

    listener_.close();
    for_each_worker([](Worker& worker) {
      for (Connection* connection : worker.connections) connection->drain();
    });
    const auto last_moment = Clock::now() + options_.drain_timeout;
    while (listener_.open_connections() > 0 && Clock::now() < last_moment) {
      timer.expires_after(std::chrono::milliseconds(20));
      co_await timer.async_wait(use_task);
    }
    LogLine(spdlog::level::info, "stopped").with("connections_cut", listener_.open_connections());
    admin_.close();
    for (const auto& lane : lanes_) lane->loop.stop();
  }

  void for_each_worker(void (*act)(Worker&)) {
    for (const auto& lane : lanes_) {
      asio::post(lane->loop, [act, &worker = lane->worker] { act(worker); });
    }
  }

  const Options& options_;
  Policy policy_;
  Metrics metrics_;
  certs::Watcher watcher_{{options_.tls_cert, options_.tls_key},
                          [this](const certs::Pair& pair) { make_context(pair); }};
  TlsContext context_;  // made by the watcher's last change, for the listener to take
  std::vector<std::unique_ptr<Lane>> lanes_;
  Listener listener_;
  Admin admin_;
  SignalSet signals_;
};

/// The quota of cgroup v2 ("200000 100000" is two processors), or of v1; 0 for none.
unsigned cgroup_processors() {
  std::string quota;
  double period = 0;
  if (std::ifstream file("/sys/fs/cgroup/cpu.max"); !(file >> quota >> period)) {
    std::ifstream quota_file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
    std::ifstream period_file("/sys/fs/cgroup/cpu/cpu.cfs_period_us");
    if (!(quota_file >> quota) || !(period_file >> period)) return 0;
  }
  const double microseconds = quota == "max" ? 0 : std::atof(quota.c_str());
  if (microseconds <= 0 || period <= 0) return 0;
  return static_cast<unsigned>((microseconds + period - 1) / period);
}

}  // namespace

unsigned allowed_processors() {
  const unsigned machine = std::max(1U, std::thread::hardware_concurrency());
  const unsigned quota = cgroup_processors();
  return quota == 0 ? machine : std::clamp(quota, 1U, machine);
}

void serve(const Options& options,
           const std::function<void(const Tcp::endpoint&, const Tcp::endpoint&)>& started) {
  // A large body's buffers come and go with the request. glibc would give their pages back to the
  // kernel each time: 607 instead of 341 us for a review of 512 KB.
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
  mallopt(M_MMAP_THRESHOLD, 16 << 20);
  Server server(options);
  started(server.endpoint(), server.admin_endpoint());
  server.run();
  flush_log();
}

}  // namespace winadmit::server
