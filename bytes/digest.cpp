#include "bytes/digest.hpp"

#include <openssl/evp.h>

#include <array>

#include "bytes/error.hpp"
#include "bytes/openssl_reason.hpp"

namespace winadmit {
namespace {

using Digest = std::array<unsigned char, 32>;

Digest digest_of(std::string_view text) {
  Digest digest{};
  if (EVP_Digest(text.data(), text.size(), digest.data(), nullptr, EVP_sha256(), nullptr) != 1)
    throw Error("SHA-256: " + openssl_reason());
  return digest;
}

}  // namespace

std::string to_hex(std::span<const unsigned char> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const unsigned char byte : bytes) {
    hex += kDigits[byte >> 4U];
    hex += kDigits[byte & 0xfU];
  }
  return hex;
}

std::string sha256_bytes(std::string_view text) {
  const Digest digest = digest_of(text);
  return {digest.begin(), digest.end()};
}

std::string sha256(std::string_view text) { return to_hex(digest_of(text)); }

}  // namespace winadmit
