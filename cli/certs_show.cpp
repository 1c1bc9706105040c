#include <filesystem>
#include <iomanip>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "certs/files.hpp"
#include "certs/serving.hpp"
#include "cli/certs.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"

namespace winadmit::cli {
namespace {

namespace fs = std::filesystem;
using certs::Description;

struct Options {
  fs::path certificate;
  fs::path key;
  fs::path secret_dir;
  Output output = Output::text;
};

struct Shown {
  std::vector<Description> certificates;
  std::string problem;  // why a server cannot use them; empty if it can
};

Shown look(const fs::path& certificate, const fs::path& key) {
  Shown shown;
  const std::string pem = certs::read_file(certificate);
  for (const certs::Certificate& each : certs::parse_certificates(pem, certificate.string()))
    shown.certificates.push_back(certs::describe(each.get()));
  const auto now = certs::current_time();
  if (!key.empty()) {
    try {
      certs::load_serving(certificate, key, now);
    } catch (const certs::Error& error) {
      shown.problem = error.what();
    }
    return shown;
  }
  for (const Description& each : shown.certificates)
    if (now > each.not_after)
      shown.problem = "\"" + each.subject + "\" expired at " + certs::to_string(each.not_after);
  return shown;
}

nlohmann::ordered_json to_json(const Description& certificate) {
  return {{"subject", certificate.subject},
          {"issuer", certificate.issuer},
          {"serial", certificate.serial},
          {"dnsNames", certificate.dns_names},
          {"ipAddresses", certificate.ip_addresses},
          {"notBefore", certs::to_string(certificate.not_before)},
          {"notAfter", certs::to_string(certificate.not_after)},
          {"keyType", certificate.key_type},
          {"isCA", certificate.is_ca},
          {"sha256", certificate.sha256}};
}

void print_json(const Shown& shown) {
  nlohmann::ordered_json json = {{"certificates", nlohmann::ordered_json::array()},
                                 {"problem", nullptr}};
  for (const Description& each : shown.certificates) json["certificates"].push_back(to_json(each));
  if (!shown.problem.empty()) json["problem"] = shown.problem;
  std::cout << json.dump(2) << '\n';
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : ", ") + text;
  return all;
}

std::string time_left(std::chrono::sys_seconds end) {
  using namespace std::chrono;
  const seconds left = end - certs::current_time();
  if (left < seconds(0)) return "ended";
  if (left < days(2)) return std::to_string(floor<hours>(left).count()) + " hours left";
  return std::to_string(floor<days>(left).count()) + " days left";
}

void print_text(const Shown& shown) {
  const auto line = [](const char* what, const std::string& text) {
    if (!text.empty()) std::cout << std::left << std::setw(12) << what << text << '\n';
  };
  for (const Description& each : shown.certificates) {
    line(each.is_ca ? "CA" : "certificate", each.subject);
    line("issuer", each.issuer);
    line("DNS names", joined(each.dns_names));
    line("IPs", joined(each.ip_addresses));
    line("from", certs::to_string(each.not_before));
    line("to", certs::to_string(each.not_after) + " (" + time_left(each.not_after) + ")");
    line("key", each.key_type);
    line("serial", each.serial);
    line("sha256", each.sha256);
    std::cout << '\n';
  }
  std::cout << (shown.problem.empty() ? "usable" : "not usable: " + shown.problem) << '\n';
}

int show(const Options& options) {
  if (options.certificate.empty() == options.secret_dir.empty())
    throw std::invalid_argument("either FILE or --secret-dir is needed");
  const bool is_secret = !options.secret_dir.empty();
  const Shown shown = is_secret
                          ? look(options.secret_dir / "tls.crt", options.secret_dir / "tls.key")
                          : look(options.certificate, options.key);
  options.output == Output::json ? print_json(shown) : print_text(shown);
  return shown.problem.empty() ? kClean : kFindings;
}

}  // namespace

void add_certs_show(CLI::App& certs, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = certs.add_subcommand(
      "show", "Tell what a pair holds, when it ends, and whether it is usable");
  command->add_option("FILE", options->certificate, "Certificates (PEM)");
  command->add_option("KEY", options->key, "The first one's private key, to be checked with it");
  command->add_option("--secret-dir", options->secret_dir, "A mounted Secret: its tls.crt, tls.key")
      ->type_name("DIR");
  add_output(*command, options->output, {Output::text, Output::json});
  command->callback([options, &exit_code] { exit_code = show(*options); });
}

}  // namespace winadmit::cli
