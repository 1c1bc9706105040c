#include "config/label_syntax.hpp"

#include <algorithm>
#include <cstddef>

#include "text/text.hpp"

namespace winadmit::server {

namespace {

constexpr std::size_t kMaxLabelSize = 63;

/// Of a DNS name, of any size.
bool is_dns_part(std::string_view text) {
  return !text.empty() && is_lower_or_digit(text.front()) && is_lower_or_digit(text.back()) &&
         std::ranges::all_of(text, [](char c) { return is_lower_or_digit(c) || c == '-'; });
}

}  // namespace

bool is_label_value(std::string_view text) {
  return !text.empty() && text.size() <= kMaxLabelSize && is_alphanumeric(text.front()) &&
         is_alphanumeric(text.back()) && std::ranges::all_of(text, [](char c) {
           return is_alphanumeric(c) || c == '-' || c == '_' || c == '.';
         });
}

bool is_label_key(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return is_label_value(text);
  return is_dns_subdomain(text.substr(0, slash)) && is_label_value(text.substr(slash + 1));
}

bool is_dns_subdomain(std::string_view text) {
  constexpr std::size_t kMaxSize = 253;
  if (text.size() > kMaxSize) return false;
  for (std::size_t dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.')) {
    if (!is_dns_part(text.substr(0, dot))) return false;
    text.remove_prefix(dot + 1);
  }
  return is_dns_part(text);
}

bool is_dns_label(std::string_view text) {
  return text.size() <= kMaxLabelSize && is_dns_part(text);
}

}  // namespace winadmit::server
