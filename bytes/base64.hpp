// Base64 (RFC 4648).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace winadmit {

std::string to_base64(std::string_view bytes);

/// Nothing if `text` is not base64.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace winadmit
