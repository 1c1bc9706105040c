// JSON Pointers (RFC 6901) as text. A pointer is a sequence of reference tokens, each after a '/',
// in which "~0" stands for '~' and "~1" for '/'. The empty pointer is the whole document.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace winadmit {

/// As a pointer has it.
std::string escape_pointer_token(std::string_view token);

/// Of a valid token.
std::string unescape_pointer_token(std::string_view token);

/// Its tokens, unescaped.
std::vector<std::string> pointer_tokens(std::string_view pointer);

/// Its last token, unescaped; empty for the whole document.
std::string last_pointer_token(std::string_view pointer);

/// The pointer of the object or array that has its value; empty for the whole document.
std::string parent_pointer(std::string_view pointer);

/// The index of an entry of an array, in decimal digits. Nothing for another token, such as "-".
std::optional<std::size_t> parse_pointer_index(std::string_view token);

}  // namespace winadmit
