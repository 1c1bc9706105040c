// Client certificates: which clients a server accepts.
#pragma once

#include <openssl/ssl.h>

#include <string>
#include <vector>

#include "certs/openssl.hpp"

namespace winadmit::certs {

struct ClientAuth {
  std::vector<Certificate> cas;    // empty: every client is accepted, even without a certificate
  std::vector<std::string> names;  // empty: every name that the CAs have signed is accepted
};

/// Makes a server's `context` refuse, during the handshake, clients that `accepted` does not list.
/// The common name or a DNS name of the client's certificate must equal one of the names byte by
/// byte. The certificate must be for clients, and not a CA. Does nothing if there are no CAs.
void require_clients(SSL_CTX* context, const ClientAuth& accepted);

}  // namespace winadmit::certs
