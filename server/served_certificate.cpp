#include "server/served_certificate.hpp"

#include <new>
#include <utility>

#include "bytes/error.hpp"
#include "certs/issue.hpp"
#include "server/telemetry/certificate_warning.hpp"
#include "server/telemetry/log.hpp"

namespace winadmit::server {
namespace {

/// Stand for the files of the pair that is made in memory.
constexpr const char* kSelfSigned = "self-signed certificate";
constexpr const char* kSelfSignedKey = "key of the self-signed certificate";

void log_warnings(const certs::Watcher::Change& change) {
  for (const std::string& warning : change.warnings)
    LogLine(spdlog::level::warn, "certificate served with warnings").with("warning", warning);
}

void log_failure(std::string_view error) {
  LogLine(spdlog::level::err, "certificate not reloaded; still serving the old certificate")
      .with("error", error);
}

}  // namespace

ServedCertificate::ServedCertificate(const CertificateOptions& options, Metrics& metrics)
    : options_(options), metrics_(metrics), watcher_(make_watcher()) {}

TlsContext ServedCertificate::load() {
  const certs::Watcher::Change change = watcher_.poll();
  if (!change.error.empty()) throw Error(change.error);
  log_warnings(change);
  warn_of_expiry();
  return std::move(context_);
}

std::optional<TlsContext> ServedCertificate::reload() {
  std::optional<TlsContext> reloaded;
  try {
    const certs::Watcher::Change change = watcher_.poll();
    if (change.has_failed) metrics_.reload_failures.add();
    if (change.served) {
      reloaded = std::move(context_);
      metrics_.reloads.add();
      LogLine(spdlog::level::info, "certificate reloaded")
          .with("not_after", certs::to_string(change.served->not_after));
      log_warnings(change);
    }
    if (!change.error.empty()) log_failure(change.error);
    if (change.is_restored)
      LogLine(spdlog::level::info, "the files have the served certificate again");
    warn_of_expiry();
  } catch (const std::bad_alloc&) {
    metrics_.reload_failures.add();
    log_failure("no memory");
  }
  return reloaded;
}

certs::Watcher ServedCertificate::make_watcher() {
  const auto serve = [this](const certs::Pair& pair, std::vector<certs::Certificate> client_cas) {
    make_context(pair, std::move(client_cas));
  };
  if (!options_.is_self_signed)
    return {{options_.certificate, options_.key, options_.client_ca}, serve};
  const auto read = [pem = certs::issue_self_signed()](const std::filesystem::path& file) {
    if (file == kSelfSigned) return pem.certificate;
    return file == kSelfSignedKey ? pem.key : certs::read_served_file(file);
  };
  return {{kSelfSigned, kSelfSignedKey, options_.client_ca}, serve, read};
}

void ServedCertificate::make_context(const certs::Pair& pair,
                                     std::vector<certs::Certificate> client_cas) {
  context_ = make_tls_context(pair, {.cas = std::move(client_cas), .names = options_.client_names});
  const certs::Description served = certs::describe(pair.leaf());
  metrics_.set_certificate_lifetime(served.not_before, served.not_after);
}

/// Logs once that the served certificate is about to expire, and once that it has expired.
void ServedCertificate::warn_of_expiry() {
  std::string warning = certificate_warning(metrics_);
  if (warning == expiry_warning_) return;
  expiry_warning_ = std::move(warning);
  if (expiry_warning_.empty()) return;
  LogLine(spdlog::level::warn, expiry_warning_)
      .with("cause", "the pair was not renewed, or its files were not updated");
}

}  // namespace winadmit::server
