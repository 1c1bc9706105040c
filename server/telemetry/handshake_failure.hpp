// Why a TLS handshake failed, as far as an operator can act on it.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace winadmit::server {

enum class HandshakeFailure {
  untrusted,           // the client does not trust the served certificate
  expired,             // the client refuses the served certificate, and that has expired
  client_certificate,  // the client has no certificate that --client-ca and --client-name allow
  plain_http,          // the client speaks HTTP without TLS
  other
};

/// The names that metrics use, by reason.
inline constexpr auto kHandshakeFailureNames = std::to_array<std::string_view>(
    {"untrusted", "expired", "client_certificate", "plain_http", "other"});
static_assert(kHandshakeFailureNames.size() ==
              static_cast<std::size_t>(HandshakeFailure::other) + 1);

}  // namespace winadmit::server
