// The certificate of the webhook port: loads the pair and the client CAs, loads them again when
// their files change, and logs what an operator has to know of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "certs/watch.hpp"
#include "server/telemetry/metrics.hpp"
#include "server/transport/tls_context.hpp"

namespace winadmit::server {

struct CertificateOptions {
  std::string certificate;  // files
  std::string key;
  std::string client_ca;  // empty: any client is served
  std::vector<std::string> client_names;
  bool is_self_signed = false;  // a pair that is made in memory, instead of the files
};

class ServedCertificate {
 public:
  /// Reads nothing before load().
  ServedCertificate(const CertificateOptions& options, Metrics& metrics);
  ServedCertificate(const ServedCertificate&) = delete;
  ServedCertificate& operator=(const ServedCertificate&) = delete;

  /// The TLS context to begin with. Throws Error.
  TlsContext load();

  /// The context for new connections if the files have another content that can be served; else the
  /// old one goes on.
  std::optional<TlsContext> reload();

 private:
  certs::Watcher make_watcher();
  void make_context(const certs::Pair& pair, std::vector<certs::Certificate> client_cas);
  void warn_of_expiry();

  const CertificateOptions options_;
  Metrics& metrics_;
  certs::Watcher watcher_;
  TlsContext context_;          // set by make_context() in a poll, then moved on
  std::string expiry_warning_;  // the last that was logged
};

}  // namespace winadmit::server
