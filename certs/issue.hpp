// Issues certificates with ECDSA P-256 keys: a CA, a serving pair signed by it, a self-signed pair
// for development. They have the form that Go's crypto/x509, and so the API server, accepts.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "certs/pair.hpp"

namespace winadmit::certs {

/// The names and addresses of a server. At least one.
struct Names {
  std::vector<std::string> dns;
  std::vector<std::string> ips;
};

/// The names with each IP address as Description has it, so that both can be compared. Throws Error
/// if there is none, or an invalid one.
Names canonical_names(Names names);

/// notBefore is this much before the time of issue: the clocks of a cluster's nodes differ.
inline constexpr std::chrono::seconds kBackdate = std::chrono::minutes(5);

/// The DNS names of a Service.
Names service_names(const std::string& namespace_name, const std::string& service);

/// A CA that may sign serving certificates but no other CA. Its common name ends with the start of
/// its serial number, so that people can tell the CAs of a bundle apart.
Pem issue_ca(std::chrono::seconds lifetime, std::chrono::sys_seconds now = current_time());

/// A serving pair signed by `ca`. It expires no later than the CA. Throws Error as
/// canonical_names() does, and if `ca` is not a CA or has expired.
Pem issue_serving(const Pair& ca, const Names& names, std::chrono::seconds lifetime,
                  std::chrono::sys_seconds now = current_time());

/// A self-signed serving pair for localhost, 127.0.0.1 and ::1, for `serve --dev`.
Pem issue_self_signed(std::chrono::seconds lifetime = std::chrono::days(7),
                      std::chrono::sys_seconds now = current_time());

}  // namespace winadmit::certs
