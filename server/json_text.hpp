// Text as it stands between the quotes of a JSON string.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace winadmit::server {

/// Whether text needs no escape.
inline bool is_plain(std::string_view text) {
  return std::ranges::all_of(
      text, [](unsigned char c) { return c >= 0x20 && c < 0x7F && c != '"' && c != '\\'; });
}

/// Appends the text, escaped where it must be, without quotes.
inline void append_json_text(std::string& to, std::string_view text) {
  if (is_plain(text)) {
    to += text;
    return;
  }
  const std::string quoted =
      nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  to.append(quoted, 1, quoted.size() - 2);
}

}  // namespace winadmit::server
