#include "cli/serve_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "cli/options.hpp"
#include "export/webhook_configurations.hpp"

namespace winadmit::cli {
namespace {

using std::chrono::milliseconds;

bool is_loopback(const std::string& address) {
  return address.starts_with("127.") || address.starts_with("[::1]:");
}

bool is_match_conditions_annotation(std::string_view text) {
  constexpr std::size_t kSha256Digits = 64;
  return text == server::kNoMatchConditions ||
         (text.size() == kSha256Digits && text.find_first_not_of("0123456789abcdef") == text.npos);
}

/// CLI11 takes an empty variable for none. Here this would serve clients that should be refused.
void refuse_empty_variable(std::string_view flag) {
  const std::string name = environment_name(flag);
  const char* const value = std::getenv(name.c_str());
  if (value != nullptr && *value == '\0') throw std::invalid_argument(name + " is empty");
}

void check(const server::Options& options) {
  if (options.certificate.client_ca.empty()) refuse_empty_variable("client-ca");
  if (options.certificate.client_names.empty()) refuse_empty_variable("client-name");
  const bool has_pair =
      !options.certificate.certificate.empty() || !options.certificate.key.empty();
  if (options.certificate.is_self_signed && has_pair)
    throw std::invalid_argument("--dev makes its own pair: omit --tls-cert and --tls-key");
  if (options.certificate.is_self_signed &&
      !(is_loopback(options.listen) && is_loopback(options.admin_listen)))
    throw std::invalid_argument(
        "--dev serves on loopback addresses only, such as 127.0.0.1:8443 or "
        "[::1]:8443");
  if (!options.certificate.is_self_signed &&
      (options.certificate.certificate.empty() || options.certificate.key.empty()))
    throw std::invalid_argument("--tls-cert and --tls-key are required without --dev");
  const std::vector<std::string>& names = options.certificate.client_names;
  if (!names.empty() && options.certificate.client_ca.empty())
    throw std::invalid_argument("--client-name needs --client-ca, which signs the names");
  const auto is_wrong = [](const std::string& name) {
    return name.empty() || name.front() == ' ' || name.back() == ' ';
  };
  if (std::ranges::any_of(names, is_wrong))
    throw std::invalid_argument(
        "--client-name must not be empty, and must not begin or end with a space");
  if (options.match_conditions && !is_match_conditions_annotation(*options.match_conditions))
    throw std::invalid_argument("--match-conditions must be 64 hexadecimal digits, or " +
                                std::string(server::kNoMatchConditions) + ": copy the annotation " +
                                std::string(server::kMatchConditionsAnnotation) +
                                " of the webhook configurations");
}

void add_addresses(CLI::App& command, ServeOptions& options) {
  const auto add = [&](const char* flag, auto& address, const std::string& initial,
                       const char* help) {
    command.add_option(flag, address, help)->type_name("ADDRESS:PORT")->default_str(initial);
  };
  add("--listen", options.listen, options.server.listen,
      "Webhook address (with --dev: 127.0.0.1:8443)");
  add("--admin-listen", options.admin_listen, options.server.admin_listen,
      "Address of probes and metrics (with --dev: 127.0.0.1:8080)");
}

void add_tls(CLI::App& command, server::Options& options) {
  command
      .add_option("--tls-cert", options.certificate.certificate,
                  "Certificate chain (PEM); reloaded when it changes")
      ->type_name("FILE");
  command
      .add_option("--tls-key", options.certificate.key,
                  "Private key (PEM); reloaded when it changes")
      ->type_name("FILE");
  command
      .add_option("--client-ca", options.certificate.client_ca,
                  "Serve only clients with a certificate from these CAs (PEM); reloaded when it "
                  "changes")
      ->type_name("FILE");
  take_list(
      command.add_option("--client-name", options.certificate.client_names,
                         "Serve only clients whose certificate has this common name or DNS name; "
                         "repeatable, or separated by commas"))
      ->type_name("NAME");
}

void add_logging(CLI::App& command, ServeOptions& options) {
  limit_to(command.add_option("--log-level", options.log_level, "Lowest level that is logged"),
           {"trace", "debug", "info", "warn", "error", "off"})
      ->capture_default_str();
  limit_to(command.add_option("--log-format", options.log_format,
                              "Log format (default: json; with --dev: text)"),
           {"json", "text"});
}

void add_limits(CLI::App& command, server::Limits& limits) {
  const auto add = [&](const char* flag, std::size_t& limit, const char* unit, std::size_t least,
                       std::size_t most, const char* help) {
    limit_to(command.add_option(flag, limit, help), least, most)
        ->type_name(unit)
        ->capture_default_str();
  };
  add("--max-body", limits.http.max_body, "BYTES", 1024, std::size_t{1} << 30U,
      "Largest request body");
  add("--max-connections", limits.max_connections, "N", 1, 1'000'000,
      "Largest number of open connections");
  add("--max-handshakes", limits.max_handshakes, "N", 1, 1'000'000,
      "Largest number of TLS handshakes in progress");
  add("--max-buffered", limits.max_buffered, "BYTES", std::size_t{1} << 20U, std::size_t{1} << 40U,
      "Memory limit for requests and replies in progress; each thread can always hold one request");
}

/// CLI11 also accepts 0x10 and nan, and its check of ranges accepts nan.
std::string find_seconds_error(const std::string& text) {
  return text.find_first_not_of("0123456789.") == text.npos ? "" : "'" + text + "' is not a number";
}

void add_times(CLI::App& command, server::Options& options,
               std::optional<milliseconds>& drain_delay) {
  constexpr double kShortest = 0.01;  // of times without which nothing could be done
  const auto add_option = [&](const char* flag, auto& time, milliseconds default_time, double least,
                              const char* help) {
    const auto set = [&time](double seconds) {
      time = milliseconds(static_cast<milliseconds::rep>(seconds * 1000));
    };
    command.add_option_function<double>(flag, set, help)
        ->type_name("SECONDS")
        ->check(find_seconds_error)
        ->check(CLI::Range(least, 86400.0))
        ->default_str(fmt::format("{}", std::chrono::duration<double>(default_time).count()));
  };
  const auto add = [&](const char* flag, milliseconds& time, double least, const char* help) {
    add_option(flag, time, time, least, help);
  };
  server::Limits& limits = options.limits;
  add("--handshake-timeout", limits.handshake_timeout, kShortest,
      "Time limit from the start of a connection to the end of its TLS handshake");
  add("--idle-timeout", limits.idle_timeout, kShortest,
      "Time after which a connection without a request is closed");
  add("--request-timeout", limits.request_timeout, kShortest,
      "Time limit from the first byte of a request to its reply; the API server's ?timeout= can "
      "shorten it");
  add_option("--drain-delay", drain_delay, options.drain_delay, 0,
             "Time after SIGTERM during which new connections are still accepted; 0 with --dev");
  add("--drain-timeout", options.drain_timeout, 0,
      "Time limit for requests in progress after the drain delay");
  add("--reload-interval", options.reload_interval, kShortest,
      "Time between two checks of the certificate files for changes");
}

}  // namespace

void ServeOptions::add_to(CLI::App& command) {
  command.add_flag("--dev", server.certificate.is_self_signed,
                   "Development: loopback addresses, a self-signed pair made in memory, text logs");
  policy.add_to(command);
  add_addresses(command, *this);
  add_tls(command, server);
  command
      .add_option("--match-conditions", server.match_conditions,
                  "The annotation " + std::string(server::kMatchConditionsAnnotation) +
                      " of the webhook configurations; the server warns if their matchConditions "
                      "do not fit its configuration")
      ->type_name("HASH");
  limit_to(command.add_option("--threads", server.threads,
                              "Number of threads (default: the CPUs that the cgroup allows)"),
           1U, 256U)
      ->type_name("N");
  add_logging(command, *this);
  add_limits(command, server.limits);
  add_times(command, server, drain_delay);
}

server::Options ServeOptions::load() const {
  server::Options options = server;
  if (options.certificate.is_self_signed) {
    options.listen = "127.0.0.1:8443";
    options.admin_listen = "127.0.0.1:8080";
    options.drain_delay = {};  // nobody has to notice that a development server ends
  }
  if (listen) options.listen = *listen;
  if (admin_listen) options.admin_listen = *admin_listen;
  if (drain_delay) options.drain_delay = *drain_delay;
  check(options);
  options.config = policy.load_quietly();  // serve logs what there is to tell
  return options;
}

}  // namespace winadmit::cli
