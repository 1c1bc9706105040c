// The subcommand certs show: what certificates contain, and whether a pair can be served.
#include <fmt/format.h>

#include <filesystem>
#include <iomanip>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "certs/serving.hpp"
#include "cli/certs.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/terminal/json_stream.hpp"
#include "text/printable.hpp"

namespace winadmit::cli {
namespace {

namespace fs = std::filesystem;
using certs::Description;

struct ShowFlags {
  fs::path certificate;
  fs::path key;
  fs::path secret_dir;
  Output output = Output::text;
};

struct Report {
  std::vector<Description> certificates;
  bool has_key = false;  // else only the dates are checked: a CA, too, can be shown
  std::string problem;   // why they cannot be served; empty if nothing was found
};

Report inspect(const fs::path& certificate, const fs::path& key) {
  Report report{.certificates = {}, .has_key = !key.empty(), .problem = {}};
  const std::string pem = certs::read_pem(certificate);  // once: it may be a pipe
  for (const certs::Certificate& each : certs::parse_certificates(pem, certificate.string()))
    report.certificates.push_back(certs::describe(each.get()));
  const auto now = certs::current_time();
  if (report.has_key) {
    try {
      certs::check_serving(certs::parse_pair({.certificate = pem, .key = certs::read_pem(key)},
                                             {.certificate = certificate, .key = key}),
                           now);
    } catch (const Error& error) {
      report.problem = error.what();
    }
    return report;
  }
  for (const Description& each : report.certificates) {
    const std::string fault = certs::date_fault(each, now);
    if (fault.empty()) continue;
    report.problem = '"' + each.subject + "\" " + fault;
    break;
  }
  return report;
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

void print_json(const Report& report) {
  nlohmann::ordered_json json = {{"certificates", nlohmann::ordered_json::array()},
                                 {"checked", report.has_key ? "serving" : "dates"},
                                 {"problem", nullptr}};
  for (const Description& each : report.certificates) json["certificates"].push_back(to_json(each));
  if (!report.problem.empty()) json["problem"] = report.problem;
  std::cout << to_ascii_json(json) << '\n';
}

std::string time_left(std::chrono::sys_seconds end) {
  using namespace std::chrono;
  const seconds left = end - certs::current_time();
  if (left < seconds(0)) return "expired";
  if (left < days(2)) return std::to_string(floor<hours>(left).count()) + " hours left";
  return std::to_string(floor<days>(left).count()) + " days left";
}

void print_text(const Report& report) {
  const auto line = [](const char* what, const std::string& text) {
    if (!text.empty()) std::cout << std::left << std::setw(12) << what << printable(text) << '\n';
  };
  for (const Description& each : report.certificates) {
    line(each.is_ca ? "CA" : "certificate", each.subject);
    line("issuer", each.issuer);
    line("DNS names", fmt::format("{}", fmt::join(each.dns_names, ", ")));
    line("IPs", fmt::format("{}", fmt::join(each.ip_addresses, ", ")));
    line("from", certs::to_string(each.not_before));
    line("to", certs::to_string(each.not_after) + " (" + time_left(each.not_after) + ")");
    line("key", each.key_type);
    line("serial", each.serial);
    line("sha256", each.sha256);
    std::cout << '\n';
  }
  const char* const found =
      report.has_key ? "usable" : "in date; give KEY to check whether the pair is usable";
  std::cout << (report.problem.empty() ? found : "not usable: " + printable(report.problem))
            << '\n';
}

int show(const ShowFlags& options) {
  if (options.certificate.empty() == options.secret_dir.empty())
    throw std::invalid_argument("give either FILE or --secret-dir");
  const bool is_secret = !options.secret_dir.empty();
  const Report report =
      is_secret ? inspect(options.secret_dir / "tls.crt", options.secret_dir / "tls.key")
                : inspect(options.certificate, options.key);
  if (options.output == Output::json) {
    print_json(report);
  } else {
    print_text(report);
  }
  return report.problem.empty() ? kClean : kNegative;
}

}  // namespace

void add_certs_show(CLI::App& certs, int& exit_code) {
  auto options = std::make_shared<ShowFlags>();
  CLI::App* command = certs.add_subcommand(
      "show", "Show certificates: names, expiry, and whether they can be served");
  command->add_option("FILE", options->certificate, "Certificates (PEM)");
  command->add_option("KEY", options->key,
                      "Private key of the first certificate; without it, only dates are checked");
  command
      ->add_option("--secret-dir", options->secret_dir,
                   "Folder with tls.crt and tls.key, such as a mounted Secret")
      ->type_name("FOLDER");
  add_output(*command, options->output, {Output::text, Output::json});
  command->callback([options, &exit_code] { exit_code = show(*options); });
}

}  // namespace winadmit::cli
