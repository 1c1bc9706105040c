#include "certs/pair.hpp"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/pem.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

namespace winadmit::certs {
namespace {

using std::chrono::sys_seconds;

Bio memory(std::string_view text) {
  return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

std::string to_text(const X509_NAME* name) {
  const Bio bio(BIO_new(BIO_s_mem()));
  X509_NAME_print_ex(bio.get(), name, 0, XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB);
  return contents(bio.get());
}

std::string to_hex(const unsigned char* bytes, std::size_t size) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (std::size_t i = 0; i < size; ++i) {
    hex += kDigits[bytes[i] >> 4];
    hex += kDigits[bytes[i] & 0xf];
  }
  return hex;
}

sys_seconds to_time(const ASN1_TIME* time) {
  std::tm tm{};
  ASN1_TIME_to_tm(time, &tm);
  using namespace std::chrono;
  const sys_days day = year(tm.tm_year + 1900) / (tm.tm_mon + 1) / tm.tm_mday;
  return day + hours(tm.tm_hour) + minutes(tm.tm_min) + seconds(tm.tm_sec);
}

std::string serial_of(X509* certificate) {
  const BigNumber number(ASN1_INTEGER_to_BN(X509_get0_serialNumber(certificate), nullptr));
  std::vector<unsigned char> bytes(static_cast<std::size_t>(BN_num_bytes(number.get())));
  BN_bn2bin(number.get(), bytes.data());
  return to_hex(bytes.data(), bytes.size());
}

std::string key_type_of(X509* certificate) {
  EVP_PKEY* key = X509_get0_pubkey(certificate);
  if (key == nullptr) return "unknown";
  if (EVP_PKEY_get_base_id(key) == EVP_PKEY_EC) {
    std::array<char, 64> group{};
    std::size_t size = 0;
    EVP_PKEY_get_group_name(key, group.data(), group.size(), &size);
    const std::string name(group.data(), size);
    // The curve has two names; operators and Kubernetes' documents use NIST's.
    return "ECDSA " + (name == "prime256v1" ? "P-256" : name);
  }
  const char* type = EVP_PKEY_get0_type_name(key);
  const std::string name = type != nullptr ? type : "unknown";
  return name == "RSA" ? name + " " + std::to_string(EVP_PKEY_get_bits(key)) : name;
}

std::string to_address(const ASN1_OCTET_STRING* octets) {
  const int family = ASN1_STRING_length(octets) == 4 ? AF_INET : AF_INET6;
  std::array<char, INET6_ADDRSTRLEN> text{};
  const unsigned char* data = ASN1_STRING_get0_data(octets);
  if (inet_ntop(family, data, text.data(), text.size()) == nullptr) return "invalid";
  return text.data();
}

void add_alt_names(X509* certificate, Description& description) {
  const SubjectAltNames names(static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)));
  for (int i = 0; i < sk_GENERAL_NAME_num(names.get()); ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(names.get(), i);
    if (name->type == GEN_DNS) {
      const auto* text = reinterpret_cast<const char*>(ASN1_STRING_get0_data(name->d.dNSName));
      const auto size = static_cast<std::size_t>(ASN1_STRING_length(name->d.dNSName));
      description.dns_names.emplace_back(text, size);
    } else if (name->type == GEN_IPADD) {
      description.ip_addresses.push_back(to_address(name->d.iPAddress));
    }
  }
}

/// There is nobody to type a passphrase, and OpenSSL would ask the terminal for one.
int refuse_passphrase(char*, int, int, void*) { return -1; }

Key parse_key(std::string_view pem, const std::string& origin) {
  ERR_clear_error();
  Key key(PEM_read_bio_PrivateKey(memory(pem).get(), nullptr, refuse_passphrase, nullptr));
  if (key) return key;
  if (pem.find("ENCRYPTED") != std::string_view::npos) {
    ERR_clear_error();
    throw Error(origin + " is encrypted: winadmit reads unencrypted private keys alone");
  }
  throw Error(origin + " holds no readable PEM private key: " + openssl_reason());
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

sys_seconds current_time() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

std::vector<Certificate> parse_certificates(std::string_view pem, const std::string& origin) {
  ERR_clear_error();
  const Bio bio = memory(pem);
  std::vector<Certificate> certificates;
  while (Certificate certificate{PEM_read_bio_X509(bio.get(), nullptr, refuse_passphrase, nullptr)})
    certificates.push_back(std::move(certificate));

  // Reading ends with an error in any case: this one says that there is nothing more to read. It
  // is no use on a text cut off inside a block, which has begun more blocks than it has ended.
  const bool at_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  const std::string reason = openssl_reason();
  std::size_t begun = 0;
  constexpr std::string_view kBegin = "-----BEGIN CERTIFICATE";
  for (auto at = pem.find(kBegin); at != pem.npos; at = pem.find(kBegin, at + 1)) ++begun;
  if (!at_end || begun > certificates.size()) {
    throw Error(origin + ": certificate " + std::to_string(certificates.size() + 1) +
                " is cut off or damaged: " + reason);
  }
  if (certificates.empty()) throw Error(origin + " holds no PEM certificate");
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

std::string read_file(const std::filesystem::path& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error))
    throw Error(file.string() + " is a directory, not a file");
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in) throw Error("cannot read " + file.string() + ": " + std::strerror(errno));
  std::ostringstream text;
  text << in.rdbuf();
  if (in.bad()) throw Error("cannot read " + file.string() + ": " + std::strerror(errno));
  return std::move(text).str();
}

Description describe(X509* certificate) {
  Description description{.subject = to_text(X509_get_subject_name(certificate)),
                          .issuer = to_text(X509_get_issuer_name(certificate)),
                          .serial = serial_of(certificate),
                          .dns_names = {},
                          .ip_addresses = {},
                          .not_before = to_time(X509_get0_notBefore(certificate)),
                          .not_after = to_time(X509_get0_notAfter(certificate)),
                          .key_type = key_type_of(certificate),
                          .is_ca = X509_check_ca(certificate) > 0,
                          .sha256 = {}};
  add_alt_names(certificate, description);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  X509_digest(certificate, EVP_sha256(), digest.data(), &size);
  description.sha256 = to_hex(digest.data(), size);
  return description;
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

std::string to_string(sys_seconds time) {
  using namespace std::chrono;
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(time - day);
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02dZ",
                static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
                static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  return text.data();
}

void use(SSL_CTX* context, const Pair& pair) {
  ERR_clear_error();
  STACK_OF(X509)* issuers = sk_X509_new_null();
  for (std::size_t i = 1; i < pair.chain.size(); ++i) sk_X509_push(issuers, pair.chain[i].get());
  const int used =
      SSL_CTX_use_cert_and_key(context, pair.leaf(), pair.key.get(), issuers, /*override=*/1);
  sk_X509_free(issuers);  // the stack alone: the certificates are the pair's
  if (used != 1) throw Error(pair.origin.certificate + " cannot be served: " + openssl_reason());
}

}  // namespace winadmit::certs
