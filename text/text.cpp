#include "text/text.hpp"

namespace winadmit {
namespace {

bool is_inside_a_character(std::string_view text, std::size_t at) {
  return at < text.size() && continues_code_point(text[at]);
}

}  // namespace

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
  return text.substr(0, text.find_last_not_of(kSpace) + 1);
}

std::size_t next_line_begin(std::string_view text, std::size_t offset) {
  const std::size_t end = text.find('\n', offset);
  return end == text.npos ? text.size() : end + 1;
}

std::string_view truncate_utf8(std::string_view text, std::size_t size) {
  if (text.size() <= size) return text;
  while (size > 0 && is_inside_a_character(text, size)) --size;
  return text.substr(0, size);
}

std::string truncate_end_utf8(std::string_view text, std::size_t size) {
  if (text.size() <= size) return std::string(text);
  return std::string(truncate_utf8(text, size - kEllipsis.size())).append(kEllipsis);
}

std::string truncate_middle_utf8(std::string_view text, std::size_t size) {
  if (text.size() <= size) return std::string(text);
  const std::size_t left = size - kEllipsis.size();
  const std::string_view head = truncate_utf8(text, left / 2);
  std::size_t tail = text.size() - (left - left / 2);
  while (is_inside_a_character(text, tail)) ++tail;
  return std::string(head).append(kEllipsis).append(text.substr(tail));
}

std::string format_count(std::size_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

}  // namespace winadmit
