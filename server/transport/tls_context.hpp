// The TLS settings of the webhook port.
#pragma once

#include <openssl/ssl.h>

#include <memory>

#include "certs/client_auth.hpp"
#include "certs/openssl.hpp"
#include "certs/pair.hpp"

namespace winadmit::server {

using TlsContext = std::unique_ptr<SSL_CTX, certs::FreeWith<SSL_CTX_free>>;

/// A context with this certificate for these clients. TLS 1.3, and TLS 1.2 with ECDHE and AEAD;
/// X25519, P-256 and P-384; no resumption, compression or renegotiation. Throws Error.
TlsContext make_tls_context(const certs::Pair& pair, const certs::ClientAuth& clients);

/// One more owner of the same context.
TlsContext add_reference(const TlsContext& context);

}  // namespace winadmit::server
