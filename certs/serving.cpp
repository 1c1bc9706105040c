#include "certs/serving.hpp"

#include <algorithm>
#include <string_view>

#include "certs/openssl.hpp"

namespace winadmit::certs {
namespace {

using std::chrono::sys_seconds;

constexpr int kMinRsaBits = 2048;  // OpenSSL at security level 2 refuses shorter keys
constexpr int kMaxRsaBits = 8192;  // Go's crypto/tls refuses longer keys anywhere in the chain

bool is_self_signed(X509* certificate) {
  return (X509_get_extension_flags(certificate) & EXFLAG_SS) != 0;
}

void check_dates(const std::string& name, const Description& certificate, sys_seconds now) {
  const std::string fault = date_fault(certificate, now);
  if (!fault.empty()) throw Error(name + ' ' + fault);
}

/// Whether TLS 1.3 has signatures for the key, which can_go_verify() accepts.
bool is_servable_key(const EVP_PKEY* key) {
  return EVP_PKEY_get_base_id(key) != EVP_PKEY_EC || group_name(key) != "secp224r1";
}

void check_key(const std::string& name, X509* certificate) {
  const EVP_PKEY* key = X509_get0_pubkey(certificate);
  if (key == nullptr) throw Error(name + " has a public key that cannot be read");
  if (!can_go_verify(key)) {
    throw Error(name + " has a key of type " + describe(certificate).key_type +
                ", which the API server refuses");
  }
  if (EVP_PKEY_get_base_id(key) != EVP_PKEY_RSA) return;
  const int bits = EVP_PKEY_get_bits(key);
  if (bits >= kMinRsaBits && bits <= kMaxRsaBits) return;
  throw Error(name + " has an RSA key of " + std::to_string(bits) +
              " bits; 2048 to 8192 bits are accepted");
}

/// The signature of a self-signed certificate is not checked by clients.
void check_signature(const std::string& name, X509* certificate) {
  constexpr int kMinSecurityBits = 112;  // MD5 and SHA-1 have less
  int bits = 0;
  if (is_self_signed(certificate) ||
      (X509_get_signature_info(certificate, nullptr, nullptr, &bits, nullptr) == 1 &&
       bits >= kMinSecurityBits)) {
    return;
  }
  throw Error(name + " is signed by " + OBJ_nid2ln(X509_get_signature_nid(certificate)) +
              ", which the API server refuses");
}

void check_use(const std::string& name, X509* certificate) {
  if ((X509_get_extended_key_usage(certificate) & (XKU_SSL_SERVER | XKU_ANYEKU)) == 0)
    throw Error(name + " is not for servers, by its extended key usage");
}

/// `below`: the number of CAs between the issuer and the serving certificate.
void check_issuer(const std::string& name, X509* issuer, long below) {
  constexpr int kByBasicConstraints = 1;  // values of X509_check_ca()
  constexpr int kSelfSignedVersion1 = 3;
  const int kind = X509_check_ca(issuer);
  if (kind != kByBasicConstraints && kind != kSelfSignedVersion1)
    throw Error(name + " is not a CA certificate, but issued the one before it");
  const long limit = X509_get_pathlen(issuer);
  if (limit >= 0 && below > limit)
    throw Error(name + " allows " + std::to_string(limit) + " CAs below it; the chain has " +
                std::to_string(below));
}

}  // namespace

void check_serving(const Pair& pair, sys_seconds now) {
  const auto name_of = [&](const Description& certificate) {
    return pair.origin.certificate + ": \"" + certificate.subject + "\"";
  };
  long position = 0;
  for (const Certificate& each : pair.chain) {
    const Description certificate = describe(each.get());
    const std::string name = name_of(certificate);
    check_dates(name, certificate, now);
    check_key(name, each.get());
    check_signature(name, each.get());
    check_use(name, each.get());
    if (position > 0) check_issuer(name, each.get(), position - 1);
    ++position;
  }
  const Description leaf = describe(pair.leaf());
  if (leaf.dns_names.empty() && leaf.ip_addresses.empty()) {
    throw Error(name_of(leaf) +
                " has no subject alternative name; the API server ignores the common name and "
                "would refuse it");
  }
  if (!is_servable_key(pair.key.get())) {
    throw Error(name_of(leaf) + " has a key of type " + leaf.key_type +
                "; an API server accepts RSA, ECDSA P-256, P-384 and P-521, and Ed25519");
  }
}

std::vector<std::string> warnings_about(const Pair& pair, const std::filesystem::path& key_file) {
  namespace fs = std::filesystem;
  std::vector<std::string> warnings;
  const Description leaf = describe(pair.leaf());
  const std::string name = pair.origin.certificate + ": \"" + leaf.subject + "\"";
  if (leaf.is_ca)
    warnings.push_back(name + " is a CA certificate: its key can issue certificates for any name");
  // X509_get_key_usage() sets every bit if there is no such extension.
  if ((X509_get_key_usage(pair.leaf()) & KU_DIGITAL_SIGNATURE) == 0)
    warnings.push_back(name + " has no digitalSignature in its key usage: some clients refuse it");
  std::error_code error;
  const fs::perms mode = fs::status(key_file, error).permissions();
  if (!error && (mode & fs::perms::others_read) != fs::perms::none)
    warnings.push_back(pair.origin.key +
                       " can be read by every user: use mode 0400, or 0440 with an fsGroup");
  return warnings;
}

}  // namespace winadmit::certs
