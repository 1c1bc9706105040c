#include "certs/client_auth.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <string_view>

namespace winadmit::certs {
namespace {

using NameList = std::vector<std::string>;

void free_names(void*, void* names, CRYPTO_EX_DATA*, int, long, void*) {
  delete static_cast<NameList*>(names);
}

/// Where a context keeps the names, which must live as long as its last session.
int names_index() {
  static const int kIndex =
      CRYPTO_get_ex_new_index(CRYPTO_EX_INDEX_SSL_CTX, 0, nullptr, nullptr, nullptr, free_names);
  return kIndex;
}

bool is_among(const NameList& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool has_common_name(X509* certificate, const NameList& names) {
  const X509_NAME* subject = X509_get_subject_name(certificate);
  // Of several, the last one counts, as in Go's crypto/x509.
  int at = -1;
  for (int next = -1; (next = X509_NAME_get_index_by_NID(subject, NID_commonName, next)) >= 0;)
    at = next;
  if (at < 0) return false;
  unsigned char* text = nullptr;
  const int size =
      ASN1_STRING_to_UTF8(&text, X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, at)));
  if (size < 0) return false;
  const bool found =
      is_among(names, {reinterpret_cast<char*>(text), static_cast<std::size_t>(size)});
  OPENSSL_free(text);
  return found;
}

bool has_dns_name(X509* certificate, const NameList& names) {
  const SubjectAltNames alt_names(static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)));
  for (int i = 0; i < sk_GENERAL_NAME_num(alt_names.get()); ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(alt_names.get(), i);
    if (name->type != GEN_DNS) continue;
    if (is_among(names, contents(name->d.dNSName))) return true;
  }
  return false;
}

/// OpenSSL's purposes do not know anyExtendedKeyUsage, which Go's crypto/x509 accepts for clients.
bool is_for_any_use(X509* certificate) {
  const bool is_limited = (X509_get_extension_flags(certificate) & EXFLAG_XKUSAGE) != 0;
  return is_limited && (X509_get_extended_key_usage(certificate) & XKU_ANYEKU) != 0;
}

/// OpenSSL calls this for each certificate of a client's chain, with its own result. It must not
/// throw into OpenSSL.
int verify(int is_valid, X509_STORE_CTX* store) {
  constexpr int kClientItself = 0;
  X509* client = X509_STORE_CTX_get_current_cert(store);
  if (is_valid != 1 && X509_STORE_CTX_get_error(store) == X509_V_ERR_INVALID_PURPOSE &&
      is_for_any_use(client)) {
    X509_STORE_CTX_set_error(store, X509_V_OK);
    is_valid = 1;
  }
  if (is_valid != 1 || X509_STORE_CTX_get_error_depth(store) != kClientItself) return is_valid;
  if (X509_check_ca(client) > 0) {
    X509_STORE_CTX_set_error(store, X509_V_ERR_INVALID_PURPOSE);
    return 0;
  }
  const auto* session = static_cast<const SSL*>(
      X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()));
  const auto* names =
      static_cast<const NameList*>(SSL_CTX_get_ex_data(SSL_get_SSL_CTX(session), names_index()));
  if (names == nullptr || has_common_name(client, *names) || has_dns_name(client, *names)) return 1;
  X509_STORE_CTX_set_error(store, X509_V_ERR_APPLICATION_VERIFICATION);
  return 0;
}

}  // namespace

void require_clients(SSL_CTX* context, const ClientAuth& accepted) {
  if (accepted.cas.empty()) return;
  for (const Certificate& ca : accepted.cas) {
    if (X509_STORE_add_cert(SSL_CTX_get_cert_store(context), ca.get()) != 1) throw std::bad_alloc();
  }
  X509_VERIFY_PARAM* param = SSL_CTX_get0_param(context);
  X509_VERIFY_PARAM_set_purpose(param, X509_PURPOSE_SSL_CLIENT);
  // As Go does, trust an intermediate CA without its issuer.
  X509_VERIFY_PARAM_set_flags(param, X509_V_FLAG_PARTIAL_CHAIN);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, verify);
  if (accepted.names.empty()) return;
  auto names = std::make_unique<NameList>(accepted.names);
  if (SSL_CTX_set_ex_data(context, names_index(), names.get()) != 1) throw std::bad_alloc();
  names.release();  // NOLINT(bugprone-unused-return-value): free_names owns it now
}

}  // namespace winadmit::certs
