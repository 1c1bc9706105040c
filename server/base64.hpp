// Base64 (RFC 4648) of the patch, as JSON carries a Go []byte.
#pragma once

#include <openssl/evp.h>

#include <string>
#include <string_view>

namespace winadmit::server {

inline std::string to_base64(std::string_view bytes) {
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');  // EVP_EncodeBlock ends with a NUL
  const int length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                                     reinterpret_cast<const unsigned char*>(bytes.data()),
                                     static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(length));
  return text;
}

}  // namespace winadmit::server
