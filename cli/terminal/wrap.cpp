#include "cli/terminal/wrap.hpp"

#include <algorithm>

namespace winadmit::cli {

std::string wrap(std::string_view text, std::size_t width, std::size_t indent) {
  if (width == 0) return std::string(text);
  std::string wrapped;
  std::size_t column = 0;
  while (!text.empty()) {
    // Spaces at the start of the text are its indentation.
    const std::size_t word_begin = std::min(text.find_first_not_of(' '), text.size());
    const std::size_t end = std::min(text.find(' ', word_begin), text.size());
    const std::string_view word = text.substr(word_begin, end - word_begin);
    if (column > indent && column + end > width) {
      wrapped += '\n' + std::string(indent, ' ');
      wrapped += word;
      column = indent + word.size();
    } else {
      wrapped += text.substr(0, end);
      column += end;
    }
    text.remove_prefix(end);
  }
  return wrapped;
}

}  // namespace winadmit::cli
