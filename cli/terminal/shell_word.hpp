// Texts as words of a shell command.
#pragma once

#include <string>

namespace winadmit::cli {

/// In single quotes of a shell.
std::string shell_quoted(const std::string& text);

/// The name of a file as a word of a command that a user may paste: in quotes if a shell would read
/// it otherwise, and never a flag.
std::string shell_word(const std::string& name);

}  // namespace winadmit::cli
