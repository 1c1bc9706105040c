#include "server/config/label_syntax.hpp"

#include <algorithm>
#include <cstddef>

#include "policy/json/text.hpp"

namespace winadmit::server {

bool is_label_value(std::string_view text) {
  constexpr std::size_t kMaxSize = 63;
  return !text.empty() && text.size() <= kMaxSize && is_alphanumeric(text.front()) &&
         is_alphanumeric(text.back()) && std::ranges::all_of(text, [](char c) {
           return is_alphanumeric(c) || c == '-' || c == '_' || c == '.';
         });
}

bool is_label_key(std::string_view text) {
  constexpr std::size_t kMaxPrefix = 253;
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return is_label_value(text);
  std::string_view prefix = text.substr(0, slash);
  if (prefix.empty() || prefix.size() > kMaxPrefix) return false;
  while (!prefix.empty()) {
    const std::string_view part = prefix.substr(0, prefix.find('.'));
    const bool is_plain =
        std::ranges::none_of(part, [](char c) { return c == '_' || (c >= 'A' && c <= 'Z'); });
    if (!is_plain || !is_label_value(part)) return false;
    if (part.size() == prefix.size()) break;
    prefix.remove_prefix(part.size() + 1);
    if (prefix.empty()) return false;  // it ends with a dot
  }
  return is_label_value(text.substr(slash + 1));
}

bool is_dns_label(std::string_view text) {
  return is_label_value(text) && std::ranges::none_of(text, [](char c) {
           return c == '_' || c == '.' || (c >= 'A' && c <= 'Z');
         });
}

}  // namespace winadmit::server
