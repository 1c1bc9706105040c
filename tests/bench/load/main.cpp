// The load generator: N connections in a closed loop on one core. It checks every response, and
// prints the results as one line of JSON.
#include <openssl/ssl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "tests/bench/load/connection.hpp"
#include "tests/bench/load/histogram.hpp"

extern char** environ;

namespace winadmit::bench {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

struct Options {
  std::uint16_t port = 8443;
  std::string path = "/validate";
  std::string body;
  std::uint32_t connections = 8;
  double seconds = 2;
  double warmup = 0.3;
  int pid = 0;
  bool handshakes = false;
  std::vector<std::string> start;
  int start_core = 0;
  Expected expected;
};

std::uint64_t clock_of(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * kSecond +
         static_cast<std::uint64_t>(time.tv_nsec);
}

std::uint64_t now() { return clock_of(CLOCK_MONOTONIC); }

/// CPU time of all threads of a process so far, in nanoseconds; 0 without a process.
std::uint64_t cpu_of(int pid) {
  clockid_t clock{};
  return pid > 0 && ::clock_getcpuclockid(pid, &clock) == 0 ? clock_of(clock) : 0;
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// TLS 1.3 with the cipher suites in the order of kube-apiserver.
SSL_CTX* make_context() {
  SSL_CTX* context = SSL_CTX_new(TLS_client_method());
  SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
  SSL_CTX_set_ciphersuites(
      context, "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256");
  SSL_CTX_set1_groups_list(context, "X25519:P-256");
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_verify(context, SSL_VERIFY_NONE,
                     nullptr);  // certificates are verified in other tests
  return context;
}

struct Measurement {
  Histogram latencies;
  std::uint64_t wall = 0;
  std::uint64_t server_cpu = 0;
  std::uint64_t own_cpu = 0;
};

class Run {
 public:
  Run(const Options& options, const Request& request)
      : options_(options),
        request_(request),
        checker_(options.expected),
        context_(make_context()) {}

  Measurement measure() {
    poll_ = ::epoll_create1(EPOLL_CLOEXEC);
    connections_.resize(options_.connections);
    for (std::uint32_t i = 0; i < options_.connections; ++i) open(i), serve(i, nullptr);

    const std::uint64_t warm = now() + seconds(options_.warmup);
    while (now() < warm) step(nullptr);

    Measurement measured;
    const std::uint64_t begin = now();
    const std::uint64_t end = begin + seconds(options_.seconds);
    const std::uint64_t server_cpu = cpu_of(options_.pid);
    const std::uint64_t own_cpu = clock_of(CLOCK_PROCESS_CPUTIME_ID);
    while (now() < end) step(&measured.latencies);
    measured.wall = now() - begin;
    measured.server_cpu = cpu_of(options_.pid) - server_cpu;
    measured.own_cpu = clock_of(CLOCK_PROCESS_CPUTIME_ID) - own_cpu;
    return measured;
  }

 private:
  static std::uint64_t seconds(double value) { return static_cast<std::uint64_t>(value * kSecond); }

  void open(std::uint32_t index) {
    const std::uint64_t started = now();  // with --handshakes the latency includes connecting
    auto& slot = connections_[index];
    slot.reset();
    slot = std::make_unique<Connection>(context_, options_.port, request_, checker_, ++opened_);
    epoll_event event{.events = EPOLLIN | EPOLLOUT | EPOLLET | EPOLLRDHUP, .data = {.u32 = index}};
    ::epoll_ctl(poll_, EPOLL_CTL_ADD, slot->socket(), &event);
    slot->start_request(started);
  }

  void step(Histogram* latencies) {
    epoll_event events[256];
    const int ready = ::epoll_wait(poll_, events, 256, 1000);
    if (ready == 0 && ++idle_ == 10) throw std::runtime_error("no answer for 10 seconds");
    for (int i = 0; i < ready; ++i) {
      idle_ = 0;
      serve(events[i].data.u32, latencies);
    }
  }

  /// Continues until the connection would block: the response may arrive at once.
  void serve(std::uint32_t index, Histogram* latencies) {
    while (connections_[index]->advance() != Connection::Progress::waiting) {
      Connection& connection = *connections_[index];
      if (!connection.fault().empty()) throw std::runtime_error(connection.fault());
      const std::uint64_t time = now();
      if (latencies != nullptr) latencies->add(time - connection.started_at());
      if (options_.handshakes) {
        open(index);
      } else {
        connection.start_request(time);
      }
    }
  }

  const Options& options_;
  const Request& request_;
  ResponseChecker checker_;
  SSL_CTX* context_;
  int poll_ = -1;
  int idle_ = 0;
  std::uint32_t opened_ = 0;
  std::vector<std::unique_ptr<Connection>> connections_;
};

/// Nanoseconds from exec to the first correct response over TLS. Kills the process afterwards.
std::uint64_t cold_start(const Options& options, const Request& request) {
  std::vector<char*> arguments;
  for (const std::string& word : options.start)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  SSL_CTX* context = make_context();
  ResponseChecker checker(options.expected);

  const std::uint64_t begin = now();
  pid_t child = 0;
  if (::posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(), environ) != 0) {
    throw std::runtime_error("cannot start " + options.start.front());
  }
  cpu_set_t core;
  CPU_ZERO(&core);
  CPU_SET(static_cast<unsigned>(options.start_core), &core);
  ::sched_setaffinity(child, sizeof core, &core);
  std::string fault = "no answer within 20 seconds";
  while (now() < begin + 20 * kSecond && !fault.empty()) {
    try {
      Connection connection(context, options.port, request, checker, 1);
      connection.start_request(now());
      while (connection.advance() == Connection::Progress::waiting) ::usleep(50);
      fault = connection.fault();
    } catch (const std::system_error&) {
      ::usleep(100);  // not listening yet
    }
  }
  const std::uint64_t took = now() - begin;
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  if (!fault.empty()) throw std::runtime_error(fault);
  return took;
}

void print(const Options& options, const Request& request, const Measurement& measured) {
  const auto count = static_cast<double>(measured.latencies.total());
  const double wall = static_cast<double>(measured.wall) / kSecond;
  const auto micros = [&](double share) {
    return static_cast<double>(measured.latencies.percentile(share)) / 1e3;
  };
  std::printf(R"({"bytes":%zu,"connections":%u,"seconds":%.3f,"requests":%.0f,"per_second":%.1f,)"
              R"("p50_us":%.1f,"p90_us":%.1f,"p99_us":%.1f,"p999_us":%.1f,"max_us":%.1f,)"
              R"("server_cpu_us":%.3f,"server_core":%.3f,"generator_core":%.3f})"
              "\n",
              request.size(), options.connections, wall, count, count / wall, micros(0.5),
              micros(0.9), micros(0.99), micros(0.999),
              static_cast<double>(measured.latencies.max()) / 1e3,
              count > 0 ? static_cast<double>(measured.server_cpu) / 1e3 / count : 0.0,
              static_cast<double>(measured.server_cpu) / static_cast<double>(measured.wall),
              static_cast<double>(measured.own_cpu) / static_cast<double>(measured.wall));
}

int run(int count, char** words) {
  Options options;
  CLI::App app(
      "Send reviews to an admission webhook on loopback as fast as it responds, and check "
      "responses");
  app.add_option("--port", options.port);
  app.add_option("--path", options.path);
  app.add_option("--body", options.body, "an AdmissionReview")->required();
  app.add_option("--connections", options.connections)->check(CLI::Range(1, 4096));
  app.add_option("--seconds", options.seconds)->check(CLI::Range(0.05, 600.0));
  app.add_option("--warmup", options.warmup)->check(CLI::Range(0.0, 60.0));
  app.add_option("--pid", options.pid, "process id of the server, to measure its CPU time");
  app.add_flag("--handshakes", options.handshakes, "a new connection for every request");
  app.add_option("--cold-start", options.start,
                 "start this command and measure the time to its first response")
      ->expected(1, 64);
  app.add_option("--cold-start-core", options.start_core)->check(CLI::Range(0, 1023));
  bool any_uid = false;
  std::string allowed;
  std::string patch;
  app.add_flag("--any-uid", any_uid, "accept a response with another uid (constant responses)");
  app.add_option("--allowed", allowed)->check(CLI::IsMember({"true", "false"}));
  app.add_option("--patch", patch)->check(CLI::IsMember({"true", "false"}));
  app.add_option("--causes", options.expected.causes, "the least number of findings");
  app.add_option("--contains", options.expected.contains, "a text that the response must contain");
  CLI11_PARSE(app, count, words);
  options.expected.uid = !any_uid;
  if (!allowed.empty()) options.expected.allowed = allowed == "true";
  if (!patch.empty()) options.expected.patch = patch == "true";

  const Request request(options.path, read_file(options.body));
  if (!options.start.empty()) {
    std::printf(R"({"cold_start_ms":%.2f})"
                "\n",
                static_cast<double>(cold_start(options, request)) / 1e6);
    return 0;
  }
  print(options, request, Run(options, request).measure());
  return 0;
}

}  // namespace
}  // namespace winadmit::bench

int main(int count, char** words) {
  try {
    return winadmit::bench::run(count, words);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "load: %s\n", error.what());
    return 1;
  }
}
