#include "text/json_pointer.hpp"

#include <charconv>

namespace winadmit {

std::string escape_pointer_token(std::string_view token) {
  std::string escaped;
  escaped.reserve(token.size() + 4);
  for (const char c : token) {
    if (c == '~') {
      escaped += "~0";
    } else if (c == '/') {
      escaped += "~1";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string unescape_pointer_token(std::string_view token) {
  std::string text;
  for (std::size_t i = 0; i < token.size(); ++i) {
    const bool is_escape = token[i] == '~' && i + 1 < token.size();
    text += !is_escape ? token[i] : token[++i] == '1' ? '/' : '~';
  }
  return text;
}

std::vector<std::string> pointer_tokens(std::string_view pointer) {
  std::vector<std::string> tokens;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);  // the slash
    const std::string_view token = pointer.substr(0, pointer.find('/'));
    tokens.push_back(unescape_pointer_token(token));
    pointer.remove_prefix(token.size());
  }
  return tokens;
}

std::string last_pointer_token(std::string_view pointer) {
  return unescape_pointer_token(pointer.substr(pointer.rfind('/') + 1));
}

std::string parent_pointer(std::string_view pointer) {
  return std::string(pointer.substr(0, pointer.rfind('/')));
}

std::optional<std::size_t> parse_pointer_index(std::string_view token) {
  std::size_t index = 0;
  const char* const end = token.data() + token.size();
  const auto [at, error] = std::from_chars(token.data(), end, index);
  return error == std::errc{} && at == end ? std::optional(index) : std::nullopt;
}

}  // namespace winadmit
