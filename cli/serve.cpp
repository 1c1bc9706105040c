#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <iostream>
#include <memory>

#include "cli/commands.hpp"
#include "cli/policy_options.hpp"
#include "server/server.hpp"
#include "server/telemetry/log.hpp"
#include "server/transport/endpoint.hpp"

namespace winadmit::cli {
namespace {

struct ServeOptions {
  PolicyOptions policy;
  server::Options server;
  std::string log_level = "info";
  std::string log_format;
  double handshake_seconds = 10;
  double idle_seconds = 120;
  double request_seconds = 10;
  double drain_delay_seconds = 5;
  double drain_timeout_seconds = 20;
  double reload_seconds = 10;
};

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

bool is_loopback(const std::string& listen) {
  return listen.starts_with("127.") || listen.starts_with("[::1]:");
}

/// Lines to paste: where the sample is a file of the repository.
void print_samples(const server::Tcp::endpoint& endpoint, const server::Tcp::endpoint& admin) {
  const std::string url = "https://localhost:" + std::to_string(endpoint.port());
  const auto line = [&](const char* what, const char* path, const char* file) {
    std::cout << "\n# " << what
              << "\ncurl -sk -H 'Content-Type: application/json' --data-binary @samples/" << file
              << ' ' << url << path << '\n';
  };
  std::cout << "winadmit serves on " << url << ", metrics on http://localhost:" << admin.port()
            << "/metrics; Ctrl-C ends it. Try, in another terminal:\n";
  line("a Windows pod is placed: a patch adds nodeSelector and toleration", "/mutate",
       "windows-pod.json");
  line("a Windows pod is refused, with all reasons", "/validate", "unsupported-windows-pod.json");
  std::cout << '\n' << std::flush;
}

/// Throws where flags contradict each other.
void check(const server::Options& options) {
  const bool has_pair = !options.tls_cert.empty() || !options.tls_key.empty();
  if (options.dev && has_pair) {
    throw std::invalid_argument(
        "--dev makes its own pair: it contradicts --tls-cert and --tls-key");
  }
  if (options.dev && !(is_loopback(options.listen) && is_loopback(options.admin_listen))) {
    throw std::invalid_argument("--dev serves on loopback: it contradicts other addresses");
  }
  if (!options.dev && (options.tls_cert.empty() || options.tls_key.empty())) {
    throw std::invalid_argument("--tls-cert and --tls-key are needed, or --dev");
  }
  const std::vector<std::string>& names = options.client_names;
  if (!names.empty() && options.client_ca.empty())
    throw std::invalid_argument("--client-name needs --client-ca, which signs the names");
  if (std::find(names.begin(), names.end(), "") != names.end())
    throw std::invalid_argument("--client-name is empty");
}

int serve(ServeOptions& options, bool listen_given, bool admin_given) {
  server::Options& to = options.server;
  if (to.dev) {
    if (!listen_given) to.listen = "127.0.0.1:8443";
    if (!admin_given) to.admin_listen = "127.0.0.1:8080";
  }
  check(to);
  to.config = options.policy.load();
  to.limits.handshake = milliseconds(options.handshake_seconds);
  to.limits.idle = milliseconds(options.idle_seconds);
  to.limits.request = milliseconds(options.request_seconds);
  // Nobody has to learn that a development server goes.
  to.drain_delay = milliseconds(to.dev ? 0 : options.drain_delay_seconds);
  to.drain_timeout = milliseconds(options.drain_timeout_seconds);
  to.reload_interval = milliseconds(options.reload_seconds);
  const bool text = options.log_format.empty() ? to.dev : options.log_format == "text";
  server::set_up_logging(spdlog::level::from_str(options.log_level),
                         text ? server::LogFormat::text : server::LogFormat::json);
  server::serve(to, [&](const server::Tcp::endpoint& endpoint, const server::Tcp::endpoint& admin) {
    if (to.dev) print_samples(endpoint, admin);
    server::LogLine(spdlog::level::info, "serving")
        .with("listen", server::to_string(endpoint))
        .with("admin_listen", server::to_string(admin))
        .with("kubernetes_version", winadmit::to_string(to.config.policy.kubernetes));
    server::flush_log();
  });
  return kClean;
}

void add_limits(CLI::App& command, ServeOptions& options) {
  server::Limits& limits = options.server.limits;
  const auto seconds = [&](const char* flag, double& to, const char* env, const char* what) {
    command.add_option(flag, to, what)
        ->envname(env)
        ->type_name("SECONDS")
        ->check(CLI::Range(0.0, 86400.0))
        ->capture_default_str();
  };
  command.add_option("--max-body", limits.http.body, "Largest request body")
      ->envname("WINADMIT_MAX_BODY")
      ->type_name("BYTES")
      ->check(CLI::Range(std::size_t{1024}, std::size_t{1} << 30U))
      ->capture_default_str();
  command.add_option("--max-connections", limits.connections, "Connections held at once")
      ->envname("WINADMIT_MAX_CONNECTIONS")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}))
      ->capture_default_str();
  command.add_option("--max-handshakes", limits.handshakes, "TLS handshakes under way at once")
      ->envname("WINADMIT_MAX_HANDSHAKES")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}))
      ->capture_default_str();
  command
      .add_option("--max-buffered", limits.buffered,
                  "Bytes of requests and replies held at once; at least one request a thread")
      ->envname("WINADMIT_MAX_BUFFERED")
      ->type_name("BYTES")
      ->check(CLI::Range(std::size_t{1} << 20U, std::size_t{1} << 40U))
      ->capture_default_str();
  seconds("--handshake-timeout", options.handshake_seconds, "WINADMIT_HANDSHAKE_TIMEOUT",
          "From connecting to the end of the TLS handshake");
  seconds("--idle-timeout", options.idle_seconds, "WINADMIT_IDLE_TIMEOUT",
          "A connection without a request");
  seconds("--request-timeout", options.request_seconds, "WINADMIT_REQUEST_TIMEOUT",
          "From a request's first byte to its answer; ?timeout= of the API server shortens it");
  seconds("--drain-delay", options.drain_delay_seconds, "WINADMIT_DRAIN_DELAY",
          "From SIGTERM until no connection is accepted");
  seconds("--drain-timeout", options.drain_timeout_seconds, "WINADMIT_DRAIN_TIMEOUT",
          "Then, for requests in flight");
  seconds("--reload-interval", options.reload_seconds, "WINADMIT_RELOAD_INTERVAL",
          "Between looks at the certificate files");
}

}  // namespace

void add_serve(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ServeOptions>();
  server::Options& to = options->server;
  CLI::App* command = app.add_subcommand("serve", "Serve the webhook");
  command->add_flag("--dev", to.dev, "Loopback, a self-signed pair made in memory, text logs")
      ->envname("WINADMIT_DEV");
  options->policy.add_to(*command);
  CLI::Option* listen =
      command->add_option("--listen", to.listen, "Webhook address (--dev: 127.0.0.1:8443)")
          ->envname("WINADMIT_LISTEN")
          ->type_name("ADDRESS:PORT")
          ->capture_default_str();
  CLI::Option* admin = command
                           ->add_option("--admin-listen", to.admin_listen,
                                        "Probes and metrics address (--dev: 127.0.0.1:8080)")
                           ->envname("WINADMIT_ADMIN_LISTEN")
                           ->type_name("ADDRESS:PORT")
                           ->capture_default_str();
  command
      ->add_option("--tls-cert", to.tls_cert, "Certificate chain (PEM); reloaded when it changes")
      ->envname("WINADMIT_TLS_CERT")
      ->type_name("FILE");
  command->add_option("--tls-key", to.tls_key, "Its private key (PEM)")
      ->envname("WINADMIT_TLS_KEY")
      ->type_name("FILE");
  command
      ->add_option("--client-ca", to.client_ca,
                   "Only clients with a certificate of these CAs are served (PEM); reloaded when "
                   "it changes")
      ->envname("WINADMIT_CLIENT_CA")
      ->type_name("FILE");
  command
      ->add_option("--client-name", to.client_names,
                   "And only if this is its common name or a DNS name; repeatable, or a,b")
      ->envname("WINADMIT_CLIENT_NAME")
      ->type_name("NAME")
      ->allow_extra_args(false)
      ->delimiter(',');
  command
      ->add_option("--threads", to.threads,
                   "Threads (default: the processors that the cgroup allows)")
      ->envname("WINADMIT_THREADS")
      ->type_name("N")
      ->check(CLI::Range(1U, 256U));
  command->add_option("--log-level", options->log_level, "Least level that is logged")
      ->envname("WINADMIT_LOG_LEVEL")
      ->check(CLI::IsMember({"trace", "debug", "info", "warn", "error", "off"}))
      ->capture_default_str();
  command
      ->add_option("--log-format", options->log_format,
                   "json, or text (default: json; --dev: text)")
      ->envname("WINADMIT_LOG_FORMAT")
      ->check(CLI::IsMember({"json", "text"}));
  add_limits(*command, *options);
  command->callback([options, listen, admin, &exit_code] {
    exit_code = serve(*options, listen->count() > 0, admin->count() > 0);
  });
}

}  // namespace winadmit::cli
