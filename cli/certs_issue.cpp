// The subcommand certs issue: writes a CA and a serving pair to files.
#include <filesystem>
#include <iostream>
#include <memory>
#include <stdexcept>

#include "bytes/files.hpp"
#include "certs/description.hpp"
#include "cli/certs.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"

namespace winadmit::cli {
namespace {

namespace fs = std::filesystem;

struct IssueFlags {
  // These are not renewed automatically, so they are valid for long.
  IssueOptions issue{.names = {}, .days = 365, .ca_days = 3650};
  std::string service;
  fs::path out = ".";
  fs::path ca_cert;
  fs::path ca_key;
  bool force = false;
};

struct File {
  fs::path path;
  std::string text;
  Readers readers;
};

void add_service_names(const std::string& service, certs::Names& names) {
  const auto [name_space, name] = parse_namespaced_name("--service", service);
  const certs::Names more = certs::service_names(name_space, name);
  names.dns.insert(names.dns.begin(), more.dns.begin(), more.dns.end());
}

void write(const std::vector<File>& files, bool force) {
  // Before any is written: a certificate without its key is of no use.
  for (const File& file : files) {
    // A dangling link counts as a file.
    if (!force && fs::symlink_status(file.path).type() != fs::file_type::not_found)
      throw Error(file.path.string() + " already exists; use --force to replace it");
    refuse_irregular_file(file.path);
  }
  for (const File& file : files) {
    write_file(file.path, file.text, file.readers);
    std::cout << file.path.string() << '\n';
  }
}

void say_if_cut_by_ca(const certs::Pair& ca, int days) {
  const auto end = certs::describe(ca.leaf()).not_after;
  // A CA of the same lifetime that was made a moment ago is no reason.
  constexpr std::chrono::minutes kMoment{10};
  if (end + kMoment >= certs::current_time() + std::chrono::days(days)) return;
  std::cerr << "winadmit: the certificate expires with its CA, at " << certs::to_string(end)
            << ", before --days have passed\n";
}

int issue(const IssueFlags& options) {
  using std::chrono::days;
  certs::Names names = options.issue.names;
  if (!options.service.empty()) add_service_names(options.service, names);
  if (options.ca_cert.empty() != options.ca_key.empty())
    throw std::invalid_argument("--ca-cert and --ca-key must be set together");

  std::vector<File> files;
  certs::Pair ca;
  if (options.ca_cert.empty()) {
    const certs::Pem pem = certs::issue_ca(days(options.issue.ca_days));
    ca = certs::parse_pair(pem);
    files.push_back({options.out / "ca.crt", pem.certificate, Readers::everyone});
    files.push_back({options.out / "ca.key", pem.key, Readers::owner});
  } else {
    ca = certs::parse_pair(
        {.certificate = certs::read_pem(options.ca_cert), .key = certs::read_pem(options.ca_key)},
        {.certificate = options.ca_cert, .key = options.ca_key});
  }
  const certs::Pem serving = certs::issue_serving(ca, names, days(options.issue.days));
  files.push_back({options.out / "tls.crt", serving.certificate, Readers::everyone});
  files.push_back({options.out / "tls.key", serving.key, Readers::owner});

  fs::create_directories(options.out);
  write(files, options.force);
  say_if_cut_by_ca(ca, options.issue.days);
  return kClean;
}

}  // namespace

void add_certs_issue(CLI::App& certs, int& exit_code) {
  auto options = std::make_shared<IssueFlags>();
  CLI::App* command = certs.add_subcommand(
      "issue", "Issue a CA and a serving pair: ca.crt, ca.key, tls.crt, tls.key");
  command
      ->add_option("--service", options->service,
                   "Service through which the API server calls the webhook; adds its DNS names")
      ->type_name("NAMESPACE/NAME");
  options->issue.add_to(*command);
  command->add_option("--out", options->out, "Folder for the files")
      ->type_name("FOLDER")
      ->capture_default_str();
  command->add_option("--ca-cert", options->ca_cert, "Sign with this CA instead of a new one")
      ->type_name("FILE");
  command->add_option("--ca-key", options->ca_key, "Private key of --ca-cert")->type_name("FILE");
  command->add_flag("--force", options->force, "Replace files that exist");
  command->callback([options, &exit_code] { exit_code = issue(*options); });
}

}  // namespace winadmit::cli
