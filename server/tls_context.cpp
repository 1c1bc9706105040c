#include "server/tls_context.hpp"

#include <array>
#include <new>

#include "server/aes_gcm.hpp"

namespace winadmit::server {
namespace {

/// Only HTTP/1.1 is spoken; a client that insists on another protocol is told so in the handshake.
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

}  // namespace

TlsContext make_tls_context(const certs::Pair& pair, const std::string& client_ca_file) {
  TlsContext context(SSL_CTX_new_ex(nullptr, aes_gcm_properties(), TLS_server_method()));
  if (!context) throw std::bad_alloc();
  SSL_CTX* raw = context.get();
  SSL_CTX_set_min_proto_version(raw, TLS1_2_VERSION);
  SSL_CTX_set_options(raw, SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE |
                               SSL_OP_IGNORE_UNEXPECTED_EOF);
  SSL_CTX_set_alpn_select_cb(raw, select_protocol, nullptr);
  // The API server never resumes a session: tickets would cost a fifth of each handshake for
  // nothing.
  SSL_CTX_set_num_tickets(raw, 0);
  certs::use(raw, pair);
  if (!client_ca_file.empty()) {
    if (SSL_CTX_load_verify_file(raw, client_ca_file.c_str()) != 1) {
      throw certs::Error(client_ca_file + ": no CA certificates could be read");
    }
    SSL_CTX_set_verify(raw, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
    // Sessions are resumed only within one verification context.
    static constexpr std::array<unsigned char, 8> kSessionId = {'w', 'i', 'n', 'a',
                                                                'd', 'm', 'i', 't'};
    SSL_CTX_set_session_id_context(raw, kSessionId.data(), kSessionId.size());
  }
  return context;
}

}  // namespace winadmit::server
