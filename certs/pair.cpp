#include "certs/pair.hpp"

#include <openssl/err.h>
#include <openssl/pem.h>

#include <new>

#include "bytes/files.hpp"
#include "bytes/openssl_reason.hpp"

namespace winadmit::certs {
namespace {

constexpr std::size_t kMaxPemSize = std::size_t{1} << 20U;

Bio memory(std::string_view text) {
  return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

/// Without this, OpenSSL would ask for a passphrase on the terminal.
int refuse_passphrase(char*, int, int, void*) { return -1; }

Key parse_key(std::string_view pem, const std::string& origin) {
  ERR_clear_error();
  Key key(PEM_read_bio_PrivateKey(memory(pem).get(), nullptr, refuse_passphrase, nullptr));
  if (key) return key;
  if (pem.find("ENCRYPTED") != std::string_view::npos) {
    ERR_clear_error();
    throw Error(origin + " is encrypted: winadmit reads unencrypted private keys only");
  }
  throw Error(origin + " contains no readable PEM private key: " + openssl_reason());
}

std::size_t count_certificate_blocks(std::string_view pem) {
  constexpr std::string_view kBegin = "-----BEGIN CERTIFICATE";
  std::size_t count = 0;
  for (auto at = pem.find(kBegin); at != pem.npos; at = pem.find(kBegin, at + 1)) {
    // A longer label is another one: CERTIFICATE REQUEST.
    if (!pem.substr(at + kBegin.size()).starts_with(' ')) ++count;
  }
  return count;
}

bool has_readable_dates(const X509* certificate) {
  return ASN1_TIME_to_tm(X509_get0_notBefore(certificate), nullptr) == 1 &&
         ASN1_TIME_to_tm(X509_get0_notAfter(certificate), nullptr) == 1;
}

std::string quoted(const Description& certificate) { return "\"" + certificate.subject + "\""; }

void check_chain(const Pair& pair) {
  for (std::size_t i = 0; i + 1 < pair.chain.size(); ++i) {
    X509* certificate = pair.chain[i].get();
    X509* issuer = pair.chain[i + 1].get();
    if (is_issued_by(certificate, issuer)) continue;
    throw Error(pair.origin.certificate + ": certificate " + std::to_string(i + 2) + ", " +
                quoted(describe(issuer)) + ", did not issue the one before it, " +
                quoted(describe(certificate)) +
                ": put the serving certificate first, then the issuer of each");
  }
}

}  // namespace

std::string read_pem(const std::filesystem::path& file) { return read_file(file, kMaxPemSize); }

std::vector<Certificate> parse_certificates(std::string_view pem, const std::string& origin) {
  ERR_clear_error();
  const Bio bio = memory(pem);
  std::vector<Certificate> certificates;
  while (Certificate certificate{PEM_read_bio_X509(bio.get(), nullptr, refuse_passphrase, nullptr)})
    certificates.push_back(std::move(certificate));

  // The loop always ends with an error: PEM_R_NO_START_LINE at the end of the text, but also where
  // a block is cut off. Then there are more BEGIN lines than certificates.
  const bool at_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  const std::string reason = openssl_reason();
  if (!at_end || count_certificate_blocks(pem) > certificates.size()) {
    throw Error(origin + ": certificate " + std::to_string(certificates.size() + 1) +
                " is cut off or damaged: " + reason);
  }
  if (certificates.empty()) throw Error(origin + " contains no PEM certificate");
  for (std::size_t i = 0; i < certificates.size(); ++i) {
    if (!has_readable_dates(certificates[i].get()))
      throw Error(origin + ": certificate " + std::to_string(i + 1) + " has a malformed date");
  }
  return certificates;
}

Pair parse_pair(const Pem& pem, const Origin& origin) {
  Pair pair{.chain = parse_certificates(pem.certificate, origin.certificate),
            .key = parse_key(pem.key, origin.key),
            .origin = origin};
  if (X509_check_private_key(pair.leaf(), pair.key.get()) != 1) {
    ERR_clear_error();
    throw Error(origin.key + " is not the private key of the first certificate in " +
                origin.certificate + ", " + quoted(describe(pair.leaf())));
  }
  check_chain(pair);
  return pair;
}

bool is_issued_by(X509* certificate, X509* issuer) {
  if (X509_check_issued(issuer, certificate) != X509_V_OK) return false;
  const bool is_signed = X509_verify(certificate, X509_get0_pubkey(issuer)) == 1;
  ERR_clear_error();
  return is_signed;
}

std::string to_pem(X509* certificate) {
  const Bio bio(BIO_new(BIO_s_mem()));
  if (PEM_write_bio_X509(bio.get(), certificate) != 1)
    throw Error("cannot write a certificate: " + openssl_reason());
  return contents(bio.get());
}

std::string to_pem(const std::vector<Certificate>& certificates) {
  std::string pem;
  for (const Certificate& each : certificates) pem += to_pem(each.get());
  return pem;
}

void use_pair(SSL_CTX* context, const Pair& pair) {
  ERR_clear_error();
  STACK_OF(X509)* issuers = sk_X509_new_reserve(nullptr, static_cast<int>(pair.chain.size()));
  if (issuers == nullptr) throw std::bad_alloc();
  for (std::size_t i = 1; i < pair.chain.size(); ++i) sk_X509_push(issuers, pair.chain[i].get());
  const int used =
      SSL_CTX_use_cert_and_key(context, pair.leaf(), pair.key.get(), issuers, /*override=*/1);
  sk_X509_free(issuers);  // not the certificates: the pair owns them
  if (used != 1) throw Error(pair.origin.certificate + " cannot be served: " + openssl_reason());
}

}  // namespace winadmit::certs
