// A TLS handshake in memory, between two OpenSSL sessions.
#pragma once

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <memory>
#include <string>
#include <utility>

#include "certs/pair.hpp"

namespace winadmit::test {

using ContextPointer = std::unique_ptr<SSL_CTX, certs::FreeWith<SSL_CTX_free>>;
using SessionPointer = std::unique_ptr<SSL, certs::FreeWith<SSL_free>>;

/// A client that accepts anything, so that only the server can reject.
inline ContextPointer make_client() {
  ContextPointer client(SSL_CTX_new(TLS_client_method()));
  SSL_CTX_set_security_level(client.get(), 0);
  SSL_CTX_set_min_proto_version(client.get(), TLS1_VERSION);
  SSL_CTX_set_cipher_list(client.get(), "ALL:@SECLEVEL=0");
  return client;
}

class Handshake {
 public:
  /// `resumed`: a session that the client offers to resume.
  Handshake(SSL_CTX* client, SSL_CTX* server, SSL_SESSION* resumed = nullptr)
      : client_(SSL_new(client)), server_(SSL_new(server)) {
    BIO* client_side = nullptr;
    BIO* server_side = nullptr;
    BIO_new_bio_pair(&client_side, 0, &server_side, 0);
    SSL_set_bio(client_.get(), client_side, client_side);
    SSL_set_bio(server_.get(), server_side, server_side);
    if (resumed != nullptr) SSL_set_session(client_.get(), resumed);
    SSL_set_connect_state(client_.get());
    SSL_set_accept_state(server_.get());
    // Tickets and the rejection of a client certificate (TLS 1.3) come after the handshake.
    for (int i = 0; i < 16; ++i) {
      SSL_do_handshake(client_.get());
      SSL_do_handshake(server_.get());
    }
    char byte = 0;
    SSL_read(client_.get(), &byte, 1);
    ERR_clear_error();
  }

  /// Whether the server would serve a request.
  bool succeeded() const { return SSL_is_init_finished(server_.get()) == 1; }
  std::string cipher() const { return SSL_get_cipher_name(client_.get()); }
  std::string version() const { return SSL_get_version(client_.get()); }
  bool was_resumed() const { return SSL_session_reused(server_.get()) == 1; }
  long verify_result() const { return SSL_get_verify_result(server_.get()); }
  SSL* client() const { return client_.get(); }
  SSL* server() const { return server_.get(); }

 private:
  SessionPointer client_;
  SessionPointer server_;
};

}  // namespace winadmit::test
