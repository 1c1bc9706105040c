#include "bytes/digest.hpp"

#include <openssl/evp.h>

#include <array>
#include <new>
#include <vector>

namespace winadmit {

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
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  // It fails only without memory.
  if (EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1)
    throw std::bad_alloc();
  return {digest.begin(), digest.begin() + size};
}

std::string sha256(std::string_view text) {
  const std::string bytes = sha256_bytes(text);
  return to_hex(std::vector<unsigned char>(bytes.begin(), bytes.end()));
}

}  // namespace winadmit
