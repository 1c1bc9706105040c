#include "certs/go_x509.hpp"

#include <openssl/core_names.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "bytes/error.hpp"
#include "certs/description.hpp"
#include "certs/openssl.hpp"

namespace winadmit::certs {
namespace {

/// An extension that Go parses. It fails on others only if they are critical.
struct KnownExtension {
  int nid;
  const ASN1_ITEM* content;
  bool may_be_critical;
};

const std::array<KnownExtension, 13>& known_extensions() {
  static const std::array<KnownExtension, 13> kKnown{{
      {NID_basic_constraints, ASN1_ITEM_rptr(BASIC_CONSTRAINTS), true},
      {NID_key_usage, ASN1_ITEM_rptr(ASN1_BIT_STRING), true},
      {NID_ext_key_usage, ASN1_ITEM_rptr(EXTENDED_KEY_USAGE), true},
      {NID_subject_alt_name, ASN1_ITEM_rptr(GENERAL_NAMES), true},
      {NID_name_constraints, ASN1_ITEM_rptr(NAME_CONSTRAINTS), true},
      {NID_crl_distribution_points, ASN1_ITEM_rptr(CRL_DIST_POINTS), true},
      {NID_certificate_policies, ASN1_ITEM_rptr(CERTIFICATEPOLICIES), true},
      {NID_policy_mappings, ASN1_ITEM_rptr(POLICY_MAPPINGS), true},
      {NID_policy_constraints, ASN1_ITEM_rptr(POLICY_CONSTRAINTS), true},
      {NID_inhibit_any_policy, ASN1_ITEM_rptr(ASN1_INTEGER), true},
      {NID_subject_key_identifier, ASN1_ITEM_rptr(ASN1_OCTET_STRING), false},
      {NID_authority_key_identifier, ASN1_ITEM_rptr(AUTHORITY_KEYID), false},
      {NID_info_access, ASN1_ITEM_rptr(AUTHORITY_INFO_ACCESS), false},
  }};
  return kKnown;
}

std::string name_of(const ASN1_OBJECT* type) {
  std::array<char, 80> text{};  // as OBJ_obj2txt(3) recommends
  OBJ_obj2txt(text.data(), static_cast<int>(text.size()), type, 0);
  return text.data();
}

bool can_decode(const ASN1_OCTET_STRING* content, const ASN1_ITEM* as) {
  const unsigned char* data = ASN1_STRING_get0_data(content);
  ASN1_VALUE* decoded = ASN1_item_d2i(nullptr, &data, ASN1_STRING_length(content), as);
  ASN1_item_free(decoded, as);
  return decoded != nullptr;
}

std::string fault_of(X509_EXTENSION* extension) {
  const ASN1_OBJECT* type = X509_EXTENSION_get_object(extension);
  const bool is_critical = X509_EXTENSION_get_critical(extension) == 1;
  const auto& known = known_extensions();
  const auto found = std::ranges::find(known, OBJ_obj2nid(type), &KnownExtension::nid);
  if (found == known.end())
    return is_critical ? "has an unknown critical extension: " + name_of(type) : "";
  if (is_critical && !found->may_be_critical)
    return "has a critical extension that must not be critical: " + name_of(type);
  if (!can_decode(X509_EXTENSION_get_data(extension), found->content))
    return "has a malformed extension: " + name_of(type);
  return "";
}

std::string extension_fault(const X509* certificate) {
  for (int i = 0; i < X509_get_ext_count(certificate); ++i) {
    X509_EXTENSION* extension = X509_get_ext(certificate, i);
    const ASN1_OBJECT* type = X509_EXTENSION_get_object(extension);
    if (X509_get_ext_by_OBJ(certificate, type, i) >= 0)
      return "has an extension twice: " + name_of(type);
    std::string fault = fault_of(extension);
    if (!fault.empty()) return fault;
  }
  return "";
}

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return c < 0x80; });
}

/// Not every fault that Go's url.Parse() finds.
bool is_uri(std::string_view text) {
  const bool has_control =
      std::ranges::any_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7F; });
  if (has_control || !is_ascii(text)) return false;
  const std::size_t slashes = text.find("://");
  if (slashes == std::string_view::npos) return true;
  std::string_view host = text.substr(slashes + 3);
  host = host.substr(0, host.find_first_of("/?#"));
  return !host.ends_with('.') && host.find("..") == std::string_view::npos &&
         host.find(' ') == std::string_view::npos;
}

std::string fault_of(const GENERAL_NAME& name) {
  switch (name.type) {
    case GEN_DNS:
      return is_ascii(contents(name.d.dNSName)) ? "" : "a DNS name that is not ASCII";
    case GEN_EMAIL:
      return is_ascii(contents(name.d.rfc822Name)) ? "" : "a mail address that is not ASCII";
    case GEN_URI:
      return is_uri(contents(name.d.uniformResourceIdentifier)) ? "" : "a malformed URI";
    case GEN_IPADD: {
      const std::size_t size = contents(name.d.iPAddress).size();
      return size == 4 || size == 16 ? "" : "an IP address that has neither 4 nor 16 bytes";
    }
    default:
      return "";
  }
}

std::string alt_name_fault(const X509* certificate) {
  const SubjectAltNames names(static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)));
  for (int i = 0; i < sk_GENERAL_NAME_num(names.get()); ++i) {
    const std::string fault = fault_of(*sk_GENERAL_NAME_value(names.get(), i));
    if (!fault.empty()) return "has " + fault + " among its subject alternative names";
  }
  return "";
}

/// Go allows "*" and "&" although X.680 does not.
bool is_printable(unsigned char c) {
  constexpr std::string_view kPunctuation = " '()+,-./:=?*&";
  return (c < 0x80 && std::isalnum(c) != 0) ||
         kPunctuation.find(static_cast<char>(c)) != std::string_view::npos;
}

bool can_parse(const ASN1_STRING* value) {
  const std::string_view text = contents(value);
  switch (ASN1_STRING_type(value)) {
    case V_ASN1_PRINTABLESTRING:
      return std::ranges::all_of(text, is_printable);
    case V_ASN1_NUMERICSTRING:
      return text.find_first_not_of("0123456789 ") == std::string_view::npos;
    case V_ASN1_IA5STRING:
      return is_ascii(text);
    case V_ASN1_UTF8STRING:
    case V_ASN1_BMPSTRING: {
      unsigned char* converted = nullptr;
      const int size = ASN1_STRING_to_UTF8(&converted, value);
      OPENSSL_free(converted);
      return size >= 0;
    }
    default:
      return ASN1_STRING_type(value) == V_ASN1_T61STRING;
  }
}

bool can_parse(const X509_NAME* name) {
  for (int i = 0; i < X509_NAME_entry_count(name); ++i) {
    if (!can_parse(X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, i)))) return false;
  }
  return true;
}

bool has_explicit_curve(const EVP_PKEY* key) {
  int is_explicit = 0;
  return key != nullptr &&
         EVP_PKEY_get_int_param(key, OSSL_PKEY_PARAM_EC_DECODED_FROM_EXPLICIT_PARAMS,
                                &is_explicit) == 1 &&
         is_explicit == 1;
}

/// Whether Go verifies signatures by the key.
bool is_known(const EVP_PKEY* key) {
  if (EVP_PKEY_get_base_id(key) != EVP_PKEY_EC)
    return EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA ||
           EVP_PKEY_get_base_id(key) == EVP_PKEY_ED25519;
  const std::string name = group_name(key);
  return name == "secp224r1" || name == "prime256v1" || name == "secp384r1" || name == "secp521r1";
}

bool is_signed_by_ed448(X509* certificate) {
  int key = NID_undef;
  return X509_get_signature_info(certificate, nullptr, &key, nullptr, nullptr) == 1 &&
         key == NID_ED448;
}

}  // namespace

std::string go_x509_fault(X509* certificate) {
  if (ASN1_STRING_type(X509_get0_serialNumber(certificate)) == V_ASN1_NEG_INTEGER)
    return "has a negative serial number";
  if (!can_parse(X509_get_subject_name(certificate))) return "has a malformed subject";
  if (!can_parse(X509_get_issuer_name(certificate))) return "has a malformed issuer";
  const EVP_PKEY* const key = X509_get0_pubkey(certificate);
  if (has_explicit_curve(key))
    return "has a key whose curve is given by its parameters, not by its name";
  if (key != nullptr && !is_known(key))
    return "has a key of type " + describe(certificate).key_type;
  if (is_signed_by_ed448(certificate)) return "is signed by Ed448";
  const std::string fault = extension_fault(certificate);
  return fault.empty() ? alt_name_fault(certificate) : fault;
}

void check_go_x509(const std::string& name, X509* certificate) {
  const std::string fault = go_x509_fault(certificate);
  if (!fault.empty()) throw Error(name + ' ' + fault + ", which the API server refuses");
}

}  // namespace winadmit::certs
