// Texts for people: what clients chose is cut, counts are easy to read.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace winadmit {

/// How much of a text that a client chose is echoed: as much as a name in Kubernetes may have.
inline constexpr std::size_t kEchoLimit = 253;

/// At most `size` bytes of a UTF-8 text, not cut inside of a character.
std::string_view truncate_utf8(std::string_view text, std::size_t size = kEchoLimit);

/// 599900 as "599,900".
std::string format_count(std::size_t number);

}  // namespace winadmit
