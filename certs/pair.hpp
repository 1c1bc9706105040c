// A certificate chain and its private key: read from PEM, described, and handed to an SSL_CTX.
// Whether it can be served is serving's to say, making one is issue's work, noticing a new one
// watch's.
#pragma once

#include <openssl/ssl.h>

#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "certs/openssl.hpp"

namespace winadmit::certs {

/// What is wrong with a certificate or a key, as a sentence for the operator that names the file.
class Error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A pair as it lies in files and Secrets. The first certificate of the chain is the pair's own.
struct Pem {
  std::string certificate;
  std::string key;
};

/// What messages call the two halves: a path, or a Secret's key.
struct Origin {
  std::string certificate = "certificate";
  std::string key = "private key";
};

struct Pair {
  std::vector<Certificate> chain;  // never empty; the pair's own first, then each one's issuer
  Key key;
  Origin origin;

  X509* leaf() const { return chain.front().get(); }
};

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

std::chrono::sys_seconds current_time();

/// Every certificate of a PEM text, in its order. Throws Error, also if there is none.
std::vector<Certificate> parse_certificates(std::string_view pem, const std::string& origin);

/// The pair in `pem`, whose key is known to fit and whose chain is known to be in order. Its dates
/// and its use are serving's. Throws Error.
Pair parse_pair(const Pem& pem, const Origin& origin = {});

/// A file's text. Throws Error.
std::string read_file(const std::filesystem::path& file);

Description describe(X509* certificate);

/// By name, key id and signature, and only if the issuer may sign certificates.
bool is_issued_by(X509* certificate, X509* issuer);

std::string to_pem(X509* certificate);

/// "2026-11-21T04:05:06Z".
std::string to_string(std::chrono::sys_seconds time);

/// Makes `context` serve the pair. Throws Error.
void use(SSL_CTX* context, const Pair& pair);

}  // namespace winadmit::certs
