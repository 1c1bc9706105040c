#include "certs/description.hpp"

#include <arpa/inet.h>

#include <array>
#include <cstdio>
#include <string_view>

#include "bytes/digest.hpp"
#include "bytes/error.hpp"
#include "bytes/openssl_reason.hpp"

namespace winadmit::certs {
namespace {

using std::chrono::sys_seconds;

std::string to_text(const X509_NAME* name) {
  const Bio bio(BIO_new(BIO_s_mem()));
  X509_NAME_print_ex(bio.get(), name, 0, XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB);
  return contents(bio.get());
}

sys_seconds to_time(const ASN1_TIME* time) {
  std::tm tm{};
  if (ASN1_TIME_to_tm(time, &tm) != 1) throw Error("a certificate has a malformed date");
  using namespace std::chrono;
  const sys_days day = year(tm.tm_year + 1900) / (tm.tm_mon + 1) / tm.tm_mday;
  return day + hours(tm.tm_hour) + minutes(tm.tm_min) + seconds(tm.tm_sec);
}

std::string key_type_of(X509* certificate) {
  EVP_PKEY* key = X509_get0_pubkey(certificate);
  if (key == nullptr) return "unknown";
  if (EVP_PKEY_get_base_id(key) == EVP_PKEY_EC) {
    const std::string name = group_name(key);
    // The curve has two names; operators and Kubernetes' documents use NIST's.
    return "ECDSA " + (name == "prime256v1" ? "P-256" : name);
  }
  const char* type = EVP_PKEY_get0_type_name(key);
  const std::string name = type != nullptr ? type : "unknown";
  return name == "RSA" ? name + " " + std::to_string(EVP_PKEY_get_bits(key)) : name;
}

void add_alt_names(X509* certificate, Description& description) {
  const SubjectAltNames names(static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)));
  for (int i = 0; i < sk_GENERAL_NAME_num(names.get()); ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(names.get(), i);
    if (name->type == GEN_DNS) {
      description.dns_names.emplace_back(contents(name->d.dNSName));
    } else if (name->type == GEN_IPADD) {
      description.ip_addresses.push_back(address_text(contents(name->d.iPAddress)));
    }
  }
}

std::string sha256_of(X509* certificate) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (X509_digest(certificate, EVP_sha256(), digest.data(), &size) != 1)
    throw Error("cannot hash a certificate: " + openssl_reason());
  return to_hex({digest.data(), size});
}

}  // namespace

Description describe(X509* certificate) {
  const BigNumber serial(ASN1_INTEGER_to_BN(X509_get0_serialNumber(certificate), nullptr));
  Description description{.subject = to_text(X509_get_subject_name(certificate)),
                          .issuer = to_text(X509_get_issuer_name(certificate)),
                          .serial = number_to_hex(serial.get()),
                          .dns_names = {},
                          .ip_addresses = {},
                          .not_before = to_time(X509_get0_notBefore(certificate)),
                          .not_after = to_time(X509_get0_notAfter(certificate)),
                          .key_type = key_type_of(certificate),
                          .is_ca = X509_check_ca(certificate) > 0,
                          .sha256 = sha256_of(certificate)};
  add_alt_names(certificate, description);
  return description;
}

std::string address_octets(const std::string& text) {
  std::string octets(sizeof(in6_addr), '\0');
  if (inet_pton(AF_INET6, text.c_str(), octets.data()) == 1) return octets;
  octets.resize(sizeof(in_addr));
  return inet_pton(AF_INET, text.c_str(), octets.data()) == 1 ? octets : "";
}

std::string address_text(std::string_view octets) {
  if (octets.size() != sizeof(in_addr) && octets.size() != sizeof(in6_addr)) return kInvalidAddress;
  const int family = octets.size() == sizeof(in_addr) ? AF_INET : AF_INET6;
  std::array<char, INET6_ADDRSTRLEN> text{};
  return inet_ntop(family, octets.data(), text.data(), text.size());
}

std::string date_fault(const Description& certificate, sys_seconds now) {
  if (now < certificate.not_before)
    return "is not valid before " + to_string(certificate.not_before);
  return now > certificate.not_after ? "expired at " + to_string(certificate.not_after) : "";
}

sys_seconds current_time() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
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

std::string expiry_warning(std::chrono::sys_seconds not_before, std::chrono::sys_seconds not_after,
                           std::chrono::sys_seconds now) {
  // `certs rotate` and cert-manager renew when a third is left: a fifth is late for both, for
  // certificates of three days as for those of a year.
  constexpr int kPart = 5;
  if (now > not_after) return "the served certificate expired at " + to_string(not_after);
  if (not_after - now > (not_after - not_before) / kPart) return "";
  return "the served certificate expires at " + to_string(not_after) +
         ": less than a fifth of its lifetime is left";
}

}  // namespace winadmit::certs
