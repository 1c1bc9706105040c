#include "certs/openssl.hpp"

#include <openssl/err.h>

#include <array>
#include <string_view>
#include <vector>

#include "certs/error.hpp"

namespace winadmit::certs {

std::string openssl_reason() {
  // The first entry is the cause; the later ones are its callers.
  const unsigned long code = ERR_get_error();
  ERR_clear_error();
  if (code == 0) return "unknown reason";
  if (const char* reason = ERR_reason_error_string(code)) return reason;
  return "error " + std::to_string(code);
}

std::string contents(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  return {data, static_cast<std::size_t>(size)};
}

std::string to_hex(std::span<const unsigned char> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const unsigned char byte : bytes) {
    hex += kDigits[byte >> 4U];
    hex += kDigits[byte & 0xfU];
  }
  return hex;
}

std::string to_hex(const BIGNUM* number) {
  std::vector<unsigned char> bytes(static_cast<std::size_t>(BN_num_bytes(number)));
  BN_bn2bin(number, bytes.data());
  return to_hex(bytes);
}

std::string sha256_bytes(std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  if (EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1) {
    throw Error("SHA-256: " + openssl_reason());
  }
  return {digest.begin(), digest.begin() + size};
}

std::string sha256(std::string_view text) {
  const std::string bytes = sha256_bytes(text);
  return to_hex(std::vector<unsigned char>(bytes.begin(), bytes.end()));
}

}  // namespace winadmit::certs
