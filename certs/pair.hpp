// A certificate chain and its private key: parsed from PEM, and given to an SSL_CTX.
#pragma once

#include <openssl/ssl.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "bytes/error.hpp"
#include "certs/description.hpp"

namespace winadmit::certs {

/// A pair as files and Secrets hold it: certificates, the serving one first, and the private key.
struct Pem {
  std::string certificate;
  std::string key;
};

/// Where a pair comes from, for messages: file paths, or keys of a Secret.
struct Origin {
  std::string certificate = "certificate";
  std::string key = "private key";
};

struct Pair {
  std::vector<Certificate> chain;  // never empty: the serving certificate, then the issuer of each
  Key key;
  Origin origin;

  X509* leaf() const { return chain.front().get(); }
};

/// Reads a PEM file. Throws Error, also if it is larger than 1 MiB, as no Secret is.
std::string read_pem(const std::filesystem::path& file);

/// All certificates of a PEM text, in order. Throws Error, also if there is none.
std::vector<Certificate> parse_certificates(std::string_view pem, const std::string& origin);

/// Checks that the key belongs to the first certificate and that the chain is in order, but no
/// dates and usages: see check_serving. Throws Error.
Pair parse_pair(const Pem& pem, const Origin& origin = {});

/// Compares names and key ids, and verifies the signature. False if `issuer` may not sign
/// certificates.
bool is_issued_by(X509* certificate, X509* issuer);

std::string to_pem(X509* certificate);
std::string to_pem(const std::vector<Certificate>& certificates);

/// Makes `context` use the pair. Throws Error.
void use_pair(SSL_CTX* context, const Pair& pair);

}  // namespace winadmit::certs
