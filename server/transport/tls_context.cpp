#include "server/transport/tls_context.hpp"

#include <array>
#include <new>

namespace winadmit::server {
namespace {

/// Selects HTTP/1.1, or nothing for a client that offers other protocols only.
int select_protocol(SSL*, const unsigned char** chosen, unsigned char* chosen_size,
                    const unsigned char* offered, unsigned int offered_size, void*) {
  static constexpr std::array<unsigned char, 9> kHttp11 = {8,   'h', 't', 't', 'p',
                                                           '/', '1', '.', '1'};
  unsigned char* found = nullptr;
  if (SSL_select_next_proto(&found, chosen_size, kHttp11.data(), kHttp11.size(), offered,
                            offered_size) != OPENSSL_NPN_NEGOTIATED) {
    return SSL_TLSEXT_ERR_NOACK;
  }
  *chosen = found;
  return SSL_TLSEXT_ERR_OK;
}

/// For settings that OpenSSL knows: they fail only without memory.
void require(long ok) {
  if (ok != 1) throw std::bad_alloc();
}

void set_protocols(SSL_CTX* context) {
  require(SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION));
  require(SSL_CTX_set_cipher_list(context,
                                  "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:"
                                  "ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:"
                                  "ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305"));
  require(SSL_CTX_set_ciphersuites(
      context, "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"));
  // No finite fields: a client could choose 8192 bits, and one such handshake takes 100 ms.
  std::array<int, 3> groups = {NID_X25519, NID_X9_62_prime256v1, NID_secp384r1};
  require(
      SSL_CTX_ctrl(context, SSL_CTRL_SET_GROUPS, static_cast<long>(groups.size()), groups.data()));
  // No keys of less than 112 bits of security and no SHA-1. Distributions have other defaults.
  SSL_CTX_set_security_level(context, 2);
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_NO_TICKET);
}

/// The most of a client's certificate and its issuers that OpenSSL keeps until it is complete.
constexpr long kMaxClientCertificate = 32 * 1024;

/// The API server never resumes a session, and the keys of tickets would be secrets to protect.
void forbid_resumption(SSL_CTX* context) {
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  require(SSL_CTX_set_num_tickets(context, 0));  // TLS 1.3: SSL_OP_NO_TICKET keeps stateful ones
}

}  // namespace

TlsContext make_tls_context(const certs::Pair& pair, const certs::ClientAuth& clients) {
  TlsContext context(SSL_CTX_new(TLS_server_method()));
  if (!context) throw std::bad_alloc();
  SSL_CTX* raw = context.get();
  set_protocols(raw);
  forbid_resumption(raw);
  SSL_CTX_set_max_cert_list(raw, kMaxClientCertificate);
  SSL_CTX_set_alpn_select_cb(raw, select_protocol, nullptr);
  certs::use_pair(raw, pair);
  certs::require_clients(raw, clients);
  return context;
}

TlsContext add_reference(const TlsContext& context) {
  require(SSL_CTX_up_ref(context.get()));
  return TlsContext(context.get());
}

}  // namespace winadmit::server
