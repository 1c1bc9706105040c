#include "certs/issue.hpp"

#include <openssl/asn1.h>
#include <openssl/pem.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "bytes/openssl_reason.hpp"

namespace winadmit::certs {
namespace {

using std::chrono::seconds;
using std::chrono::sys_seconds;

constexpr std::size_t kMaxCommonName = 64;  // RFC 5280, ub-common-name-length
constexpr std::size_t kMaxDnsName = 253;

struct Request {
  std::string common_name;
  SubjectAltNames alt_names;  // null for a CA
  sys_seconds not_before;
  sys_seconds not_after;
  BigNumber serial;
};

/// OpenSSL fails here only without memory or randomness, or if the key of the CA cannot sign.
void require(bool ok) {
  if (!ok) throw Error("cannot make a certificate: " + openssl_reason());
}

Key make_key() {
  Key key(EVP_EC_gen("P-256"));
  require(key != nullptr);
  return key;
}

BigNumber make_serial() {
  BigNumber serial(BN_new());
  require(serial && BN_rand(serial.get(), 128, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY) == 1);
  return serial;
}

bool is_dns_name(std::string_view name) {
  if (name.starts_with("*.")) name.remove_prefix(2);
  if (name.empty() || name.size() > kMaxDnsName) return false;
  std::size_t label = 0;  // characters of the label so far
  char last = '.';
  for (const char c : name) {
    const bool is_word = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    if (c == '.') {
      if (label == 0 || last == '-') return false;
      label = 0;
    } else if (is_word || (c == '-' && label > 0)) {
      if (++label > 63) return false;
    } else {
      return false;
    }
    last = c;
  }
  return label > 0 && last != '-';
}

void add_name(GENERAL_NAMES* names, int type, ASN1_STRING* value) {
  GENERAL_NAME* name = GENERAL_NAME_new();
  require(name != nullptr && value != nullptr);
  GENERAL_NAME_set0_value(name, type, value);
  require(sk_GENERAL_NAME_push(names, name) > 0);
}

/// `type`: V_ASN1_IA5STRING or V_ASN1_OCTET_STRING.
ASN1_STRING* to_asn1(int type, const std::string& bytes) {
  ASN1_STRING* string = ASN1_STRING_type_new(type);
  require(string != nullptr &&
          ASN1_STRING_set(string, bytes.data(), static_cast<int>(bytes.size())) == 1);
  return string;
}

SubjectAltNames to_alt_names(const Names& names) {
  SubjectAltNames alt_names(GENERAL_NAMES_new());
  require(alt_names != nullptr);
  for (const std::string& dns : names.dns)
    add_name(alt_names.get(), GEN_DNS, to_asn1(V_ASN1_IA5STRING, dns));
  for (const std::string& ip : names.ips)
    add_name(alt_names.get(), GEN_IPADD, to_asn1(V_ASN1_OCTET_STRING, address_octets(ip)));
  return alt_names;
}

/// The first DNS name, for people: clients check the alternative names only.
std::string common_name_for(const Names& names) {
  const bool fits = !names.dns.empty() && names.dns.front().size() <= kMaxCommonName;
  return fits ? names.dns.front() : "winadmit";
}

void add_extension(X509* certificate, X509* issuer, int nid, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const Extension extension(X509V3_EXT_conf_nid(nullptr, &context, nid, value));
  require(extension != nullptr && X509_add_ext(certificate, extension.get(), -1) == 1);
}

/// `alt_names`: null for a CA.
void add_extensions(X509* certificate, X509* issuer, GENERAL_NAMES* alt_names) {
  const bool is_ca = alt_names == nullptr;
  add_extension(certificate, issuer, NID_basic_constraints,
                is_ca ? "critical,CA:TRUE,pathlen:0" : "critical,CA:FALSE");
  add_extension(certificate, issuer, NID_key_usage,
                is_ca ? "critical,keyCertSign,cRLSign" : "critical,digitalSignature");
  add_extension(certificate, issuer, NID_subject_key_identifier, "hash");
  // A CA may have no key identifier.
  if (X509_get_ext_by_NID(issuer, NID_subject_key_identifier, -1) >= 0)
    add_extension(certificate, issuer, NID_authority_key_identifier, "keyid:always");
  if (is_ca) return;
  add_extension(certificate, issuer, NID_ext_key_usage, "serverAuth");
  require(X509_add1_ext_i2d(certificate, NID_subject_alt_name, alt_names, 0, 0) == 1);
}

void set_time(ASN1_TIME* field, sys_seconds time) {
  require(ASN1_TIME_set(field, time.time_since_epoch().count()) != nullptr);
}

/// The digest that signatures of this key use by default; null for a type that signs without one,
/// such as Ed25519.
Digest default_digest(EVP_PKEY* key) {
  std::array<char, 64> name{};
  require(EVP_PKEY_get_default_digest_name(key, name.data(), name.size()) > 0);
  if (std::string_view(name.data()) == "UNDEF") return nullptr;
  Digest digest(EVP_MD_fetch(nullptr, name.data(), nullptr));
  require(digest != nullptr);
  return digest;
}

/// Without `ca`, the certificate is self-signed.
Certificate sign(const Request& request, EVP_PKEY* key, const Pair* ca) {
  Certificate certificate(X509_new());
  require(certificate != nullptr);
  X509* x = certificate.get();
  X509* issuer = ca != nullptr ? ca->leaf() : x;

  require(X509_set_version(x, X509_VERSION_3) == 1);
  require(BN_to_ASN1_INTEGER(request.serial.get(), X509_get_serialNumber(x)) != nullptr);
  set_time(X509_getm_notBefore(x), request.not_before);
  set_time(X509_getm_notAfter(x), request.not_after);
  const auto* common_name = reinterpret_cast<const unsigned char*>(request.common_name.c_str());
  require(X509_NAME_add_entry_by_txt(X509_get_subject_name(x), "CN", MBSTRING_UTF8, common_name, -1,
                                     -1, 0) == 1);
  require(X509_set_issuer_name(x, X509_get_subject_name(issuer)) == 1);
  require(X509_set_pubkey(x, key) == 1);

  add_extensions(x, issuer, request.alt_names.get());
  EVP_PKEY* signing_key = ca != nullptr ? ca->key.get() : key;
  require(X509_sign(x, signing_key, default_digest(signing_key).get()) > 0);
  return certificate;
}

Pem to_pem_pair(X509* certificate, EVP_PKEY* key) {
  const Bio bio(BIO_new(BIO_s_secmem()));
  require(PEM_write_bio_PKCS8PrivateKey(bio.get(), key, nullptr, nullptr, 0, nullptr, nullptr) ==
          1);
  return {.certificate = to_pem(certificate), .key = contents(bio.get())};
}

/// A new key, and its certificate signed by `ca` or by itself.
Pem issue(const Request& request, const Pair* ca = nullptr) {
  const Key key = make_key();
  const Certificate certificate = sign(request, key.get(), ca);
  return to_pem_pair(certificate.get(), key.get());
}

}  // namespace

Names canonical_names(Names names) {
  if (names.dns.empty() && names.ips.empty())
    throw Error("a serving certificate needs at least one DNS name or IP address");
  for (const std::string& dns : names.dns) {
    if (!address_octets(dns).empty())
      throw Error("\"" + dns + "\" is an IP address, not a DNS name");
    if (!is_dns_name(dns)) throw Error("\"" + dns + "\" is not a DNS name");
  }
  for (std::string& ip : names.ips) {
    const std::string octets = address_octets(ip);
    if (octets.empty()) throw Error("\"" + ip + "\" is not an IP address");
    ip = address_text(octets);
  }
  return names;
}

Names service_names(const std::string& namespace_name, const std::string& service) {
  const std::string name = service + "." + namespace_name + ".svc";
  return {.dns = {name, name + ".cluster.local"}, .ips = {}};
}

Pem issue_ca(seconds lifetime, sys_seconds now) {
  BigNumber serial = make_serial();
  const std::string common_name = "winadmit CA " + number_to_hex(serial.get()).substr(0, 8);
  const Request request{.common_name = common_name,
                        .alt_names = nullptr,
                        .not_before = now - kBackdate,
                        .not_after = now + lifetime,
                        .serial = std::move(serial)};
  return issue(request);
}

Pem issue_serving(const Pair& ca, const Names& names, seconds lifetime, sys_seconds now) {
  const Description issuer = describe(ca.leaf());
  const std::string name = ca.origin.certificate + ": \"" + issuer.subject + "\"";
  if (!issuer.is_ca) throw Error(name + " is not a CA certificate");
  if (!can_go_verify(ca.key.get()))
    throw Error(name + " has a key of type " + issuer.key_type + ", which the API server refuses");
  if (now > issuer.not_after) throw Error(name + " expired at " + to_string(issuer.not_after));
  const Request request{.common_name = common_name_for(names),
                        .alt_names = to_alt_names(canonical_names(names)),
                        .not_before = std::max(now - kBackdate, issuer.not_before),
                        .not_after = std::min(now + lifetime, issuer.not_after),
                        .serial = make_serial()};
  return issue(request, &ca);
}

Pem issue_self_signed(seconds lifetime, sys_seconds now) {
  const Names names{.dns = {"localhost"}, .ips = {"127.0.0.1", "::1"}};
  const Request request{.common_name = common_name_for(names),
                        .alt_names = to_alt_names(names),
                        .not_before = now - kBackdate,
                        .not_after = now + lifetime,
                        .serial = make_serial()};
  return issue(request);
}

}  // namespace winadmit::certs
