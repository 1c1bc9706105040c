#include "cli/terminal/shell_word.hpp"

#include <algorithm>
#include <string_view>

#include "text/text.hpp"

namespace winadmit::cli {

std::string shell_quoted(const std::string& text) {
  std::string made = "'";
  for (const char c : text) made += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return made + "'";
}

std::string shell_word(const std::string& name) {
  const std::string word = name.starts_with('-') ? "./" + name : name;
  const bool is_plain = std::ranges::all_of(word, [](char c) {
    return is_alphanumeric(c) || std::string_view("._/-").find(c) != std::string_view::npos;
  });
  return is_plain ? word : shell_quoted(word);
}

}  // namespace winadmit::cli
