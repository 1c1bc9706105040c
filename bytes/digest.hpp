// SHA-256 and hexadecimal digits.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace winadmit {

/// Lower case, two digits for each byte.
std::string to_hex(std::span<const unsigned char> bytes);

/// SHA-256 (FIPS 180-4): 32 bytes, and the same as hexadecimal digits. Throw Error if OpenSSL is
/// configured without it.
std::string sha256_bytes(std::string_view text);
std::string sha256(std::string_view text);

}  // namespace winadmit
