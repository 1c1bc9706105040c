// The TLS settings of the webhook port.
#pragma once

#include <openssl/ssl.h>

#include <memory>
#include <string>

#include "certs/pair.hpp"

namespace winadmit::server {

struct FreeSslContext {
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
};
using TlsContext = std::unique_ptr<SSL_CTX, FreeSslContext>;

/// A context for TLS 1.2 and 1.3 that serves the pair. With a CA file, clients must show a
/// certificate of one of its CAs. Throws certs::Error.
TlsContext make_tls_context(const certs::Pair& pair, const std::string& client_ca_file);

}  // namespace winadmit::server
