// What is known of the terminal.
#pragma once

#include <cstddef>
#include <string>

namespace winadmit::cli {

/// Whether the standard stream is one: STDOUT_FILENO or STDERR_FILENO.
bool is_terminal(int descriptor);

/// In characters; 0 if standard output is not a terminal.
std::size_t terminal_width();

/// Whether a terminal should get colours: not if NO_COLOR is set (https://no-color.org/), and not
/// if it is dumb.
bool wants_colour();

/// Select Graphic Rendition of ECMA-48.
enum class Style { bold = 1, faint = 2, red = 31, green = 32, yellow = 33, cyan = 36 };

/// The text in a style, for a terminal.
std::string styled(Style style, const std::string& text);

}  // namespace winadmit::cli
