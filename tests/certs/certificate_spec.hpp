// Certificates that certs::issue_* never make: other keys, weak signatures, unusual extensions.
#pragma once

#include <openssl/rsa.h>

#include <string>

#include "bytes/openssl_reason.hpp"
#include "certs/pair.hpp"

namespace winadmit::test {

struct CertificateSpec {
  std::string common_name = "made";
  const char* key = "P-256";      // a curve, "RSA-2048", "ED25519" or "ED448"
  const char* digest = "SHA256";  // of the signature; not used with ED25519 and ED448
  const char* constraints = "CA:FALSE";
  const char* key_usage = "critical,digitalSignature";   // "": no such extension
  const char* extended_key_usage = "serverAuth";         // the same
  const char* alt_names = "DNS:localhost,IP:127.0.0.1";  // the same
  const char* subject_key_id = "";                       // the same
  const char* not_before = "";                           // its bytes instead of a time
};

inline certs::Key make_key(const std::string& kind) {
  if (kind.starts_with("RSA-"))
    return certs::Key(EVP_PKEY_Q_keygen(nullptr, nullptr, "RSA",
                                        static_cast<std::size_t>(std::stoul(kind.substr(4)))));
  if (kind.starts_with("ED")) return certs::Key(EVP_PKEY_Q_keygen(nullptr, nullptr, kind.c_str()));
  return certs::Key(EVP_EC_gen(kind.c_str()));
}

/// The certificate as one that reads it sees it: X509_set_pubkey() keeps the original key.
inline certs::Certificate reread(const X509* certificate) {
  unsigned char* encoded = nullptr;
  const int size = i2d_X509(certificate, &encoded);
  const unsigned char* begin = encoded;
  certs::Certificate read(d2i_X509(nullptr, &begin, size));
  OPENSSL_free(encoded);
  if (!read) throw Error(openssl_reason());
  return read;
}

/// Self-signed, or signed by `issuer`, whose chain is appended.
inline certs::Pair make_pair(const CertificateSpec& spec, const certs::Pair* issuer = nullptr) {
  certs::Pair pair{.chain = {},
                   .key = make_key(spec.key),
                   .origin = {.certificate = "tls.crt", .key = "tls.key"}};
  certs::Certificate certificate(X509_new());
  X509* x = certificate.get();
  X509_set_version(x, X509_VERSION_3);
  static long serial = 0;
  ++serial;
  ASN1_INTEGER_set(X509_get_serialNumber(x), serial);
  X509_gmtime_adj(X509_getm_notBefore(x), -3600);
  X509_gmtime_adj(X509_getm_notAfter(x), 3600);
  if (*spec.not_before != '\0') ASN1_STRING_set(X509_getm_notBefore(x), spec.not_before, -1);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(x), "CN", MBSTRING_UTF8,
                             reinterpret_cast<const unsigned char*>(spec.common_name.c_str()), -1,
                             -1, 0);
  X509* signer = issuer != nullptr ? issuer->leaf() : x;
  X509_set_issuer_name(x, X509_get_subject_name(signer));
  X509_set_pubkey(x, pair.key.get());
  const auto add = [&](const char* type, const char* value) {
    if (*value == '\0') return;
    X509V3_CTX context;
    X509V3_set_ctx(&context, signer, x, nullptr, nullptr, 0);
    const certs::Extension extension(X509V3_EXT_nconf(nullptr, &context, type, value));
    if (!extension || X509_add_ext(x, extension.get(), -1) != 1) throw Error(openssl_reason());
  };
  add("basicConstraints", spec.constraints);
  add("keyUsage", spec.key_usage);
  add("extendedKeyUsage", spec.extended_key_usage);
  add("subjectAltName", spec.alt_names);
  add("subjectKeyIdentifier", spec.subject_key_id);
  EVP_PKEY* signing_key = issuer != nullptr ? issuer->key.get() : pair.key.get();
  const int type = EVP_PKEY_get_base_id(signing_key);
  const bool signs_whole = type == EVP_PKEY_ED25519 || type == EVP_PKEY_ED448;
  const EVP_MD* digest = signs_whole ? nullptr : EVP_get_digestbyname(spec.digest);
  if (X509_sign(x, signing_key, digest) <= 0) throw Error(openssl_reason());
  pair.chain.push_back(reread(certificate.get()));
  if (issuer != nullptr) {
    for (const certs::Certificate& each : issuer->chain) {
      X509_up_ref(each.get());
      pair.chain.emplace_back(each.get());
    }
  }
  return pair;
}

inline CertificateSpec ca_spec(const char* digest = "SHA256") {
  return {.common_name = "CA",
          .digest = digest,
          .constraints = "critical,CA:TRUE",
          .key_usage = "critical,keyCertSign",
          .extended_key_usage = "",
          .alt_names = ""};
}

inline CertificateSpec client_spec(const std::string& name) {
  return {.common_name = name, .extended_key_usage = "clientAuth", .alt_names = ""};
}

}  // namespace winadmit::test
