// What a certificate says, as text.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
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

/// The 4 or 16 octets of an IP address. Empty if `text` is not one.
std::string address_octets(const std::string& text);

/// An address of these octets, as Description has it: "2001:db8::1". kInvalidAddress for another
/// number of octets.
std::string address_text(std::string_view octets);

/// "is not valid before ...", "expired at ...", or "".
std::string date_fault(const Description& certificate, std::chrono::sys_seconds now);

std::chrono::sys_seconds current_time();

/// "2026-11-21T04:05:06Z".
std::string to_string(std::chrono::sys_seconds time);

/// What to tell an operator about a certificate of these dates at `now`: that less than a fifth of
/// its lifetime is left, or that it has expired. Empty before. The text is the
/// same until the certificate expires, so that it can be logged once.
std::string expiry_warning(std::chrono::sys_seconds not_before, std::chrono::sys_seconds not_after,
                           std::chrono::sys_seconds now);

}  // namespace winadmit::certs
