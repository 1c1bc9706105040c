// Guesses what a misspelled word was meant to be.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace winadmit {

/// How many characters must be inserted, removed or replaced to make one text the other
/// (Levenshtein). Upper and lower case are the same. Takes time by the product of the sizes.
std::size_t edit_distance(std::string_view from, std::string_view to);

/// The candidate that was probably meant, or "". It is the first of those with the same distance.
/// A word and its beginning are similar, too: "warn" for "warning", and "windows" for "win".
std::string_view find_similar(std::string_view word, std::span<const std::string_view> candidates);

/// "; did you mean CANDIDATE?", or "".
std::string suggestion(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace winadmit
