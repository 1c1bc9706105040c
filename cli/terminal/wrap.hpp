// Text in lines of a width.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace winadmit::cli {

/// The text with line feeds instead of spaces where a line would be longer than `width`; the lines
/// after the first begin with `indent` spaces. A word that is too long stays whole. Width 0: as it
/// is.
std::string wrap(std::string_view text, std::size_t width, std::size_t indent);

}  // namespace winadmit::cli
