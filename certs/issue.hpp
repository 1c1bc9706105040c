// Makes certificates: a CA, a serving pair signed by it, a self-signed one for development. ECDSA
// P-256 throughout, in the form that Go's crypto/x509 and so the API server want. Writes no files.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "certs/pair.hpp"

namespace winadmit::certs {

/// Under which names a server is called. At least one.
struct Names {
  std::vector<std::string> dns;
  std::vector<std::string> ips;
};

/// The names by which an API server and pods call a Service.
Names service_names(const std::string& namespace_name, const std::string& service);

/// A CA that may sign serving certificates but no further CA. Its common name ends in a part of its
/// serial number, so that two of them can be told apart in one bundle.
Pem issue_ca(std::chrono::seconds lifetime, std::chrono::sys_seconds now = current_time());

/// A serving pair signed by `ca`; its certificate does not outlive the CA's. Throws Error on a name
/// that is none, and if `ca` is no CA.
Pem issue_serving(const Pair& ca, const Names& names, std::chrono::seconds lifetime,
                  std::chrono::sys_seconds now = current_time());

/// A self-signed serving pair for localhost, 127.0.0.1 and ::1: what `serve --dev` uses.
Pem issue_self_signed(std::chrono::seconds lifetime = std::chrono::days(7),
                      std::chrono::sys_seconds now = current_time());

}  // namespace winadmit::certs
