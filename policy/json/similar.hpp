// Guesses what a misspelled word was meant to be.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace winadmit {

/// How many characters must be inserted, removed or replaced to make one text the other
/// (Levenshtein). Upper and lower case are the same. Takes time by the product of the sizes.
std::size_t edit_distance(std::string_view from, std::string_view to);

/// The candidate that was probably meant, or "". Also "warn" for "warning", and "windows" for
/// "win". Of several with the same distance, the first.
std::string_view find_similar(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace winadmit
