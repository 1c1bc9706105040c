// Text from files and requests, made safe for terminals and for the logs of CI.
#pragma once

#include <string>
#include <string_view>

namespace winadmit {

/// The text with each control character as an escape: \n, \t, \x1b, \u0085, \u202e. So is each
/// character that changes the direction of text or has no width, and each byte that is not UTF-8.
/// The result is one line of valid UTF-8, and no command for the log of CI.
std::string printable(std::string_view text);

/// The same for each line of a text.
std::string printable_lines(std::string_view text);

/// printable() of at most kEchoLimit bytes, to repeat in a message what somebody sent. An ellipsis
/// stands for the rest.
std::string echo(std::string_view text);

/// The same in double quotes.
std::string in_quotes(std::string_view text);

}  // namespace winadmit
