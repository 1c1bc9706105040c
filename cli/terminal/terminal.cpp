#include "cli/terminal/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

namespace winadmit::cli {

bool is_terminal(int descriptor) { return isatty(descriptor) == 1; }

std::size_t terminal_width() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool wants_colour() {
  const char* const no_color = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  return (no_color == nullptr || *no_color == '\0') &&
         (terminal == nullptr || std::string(terminal) != "dumb");
}

std::string styled(Style style, const std::string& text) {
  return "\x1b[" + std::to_string(static_cast<int>(style)) + 'm' + text + "\x1b[0m";
}

}  // namespace winadmit::cli
