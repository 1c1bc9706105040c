// What a certificate says, as text.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "certs/openssl.hpp"

namespace winadmit::certs {

/// What stands for an IP address that has neither 4 nor 16 bytes.
inline constexpr const char* kInvalidAddress = "invalid";

struct Description {
  std::string subject;
  std::string issuer;
  std::string serial;  // hexadecimal
  std::vector<std::string> dns_names;
  std::vector<std::string> ip_addresses;
  std::chrono::sys_seconds not_before;
  std::chrono::sys_seconds not_after;
  std::string key_type;  // "ECDSA P-256", "RSA 2048"
  bool is_ca = false;
  std::string sha256;  // of the DER, hexadecimal, as `openssl x509 -fingerprint` without colons
};

Description describe(X509* certificate);

std::chrono::sys_seconds current_time();

/// "2026-11-21T04:05:06Z".
std::string to_string(std::chrono::sys_seconds time);

}  // namespace winadmit::certs
