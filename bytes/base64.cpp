#include "bytes/base64.hpp"

#include <openssl/evp.h>

namespace winadmit {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');  // OpenSSL adds a NUL
  const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                                   reinterpret_cast<const unsigned char*>(bytes.data()),
                                   static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(size));
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  std::string bytes(text.size(), '\0');
  // OpenSSL ignores white space and "-" at the ends, and takes padding anywhere.
  if (text.find_first_not_of(kAlphabet) != std::string_view::npos) return std::nullopt;
  const std::size_t end = text.find('=');
  if (end != std::string_view::npos && (text.size() - end > 2 || text.back() != '='))
    return std::nullopt;
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                   reinterpret_cast<const unsigned char*>(text.data()),
                                   static_cast<int>(text.size()));
  if (size < 0) return std::nullopt;
  // OpenSSL counts the padding as bytes.
  const std::size_t padding = end == std::string_view::npos ? 0 : text.size() - end;
  bytes.resize(static_cast<std::size_t>(size) - padding);
  return bytes;
}

}  // namespace winadmit
