// Which clients a server serves: those with a certificate of its CAs, under one of its names.
#pragma once

#include <openssl/ssl.h>

#include <string>
#include <vector>

#include "certs/openssl.hpp"

namespace winadmit::certs {

struct Clients {
  std::vector<Certificate> cas;    // empty: every client is served, with or without a certificate
  std::vector<std::string> names;  // empty: whatever name the CAs have signed
};

/// Makes a server's `context` refuse other clients during the handshake. A certificate's names are
/// its common name and its DNS names, compared byte by byte. It must be one for clients, and no CA.
void require(SSL_CTX* context, const Clients& clients);

}  // namespace winadmit::certs
