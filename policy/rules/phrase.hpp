// Texts that the compiler joins, so that a predicate and what is said of it come from the same
// words.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace winadmit {

/// A string literal as a template argument: one_of<"Strict">.
template <std::size_t N>
struct Literal {
  char text[N]{};
  consteval Literal(const char (&from)[N]) { std::copy_n(from, N, text); }  // NOLINT: implicit
  constexpr std::string_view view() const { return {text, N - 1}; }
};

/// How a list of words is written.
struct ListStyle {
  std::string_view quote;
  std::string_view between;
  std::string_view before_last;  // instead of `between`
};
inline constexpr ListStyle kEnglish{"\"", ", ", " or "};
inline constexpr ListStyle kCelStrings{"'", ", ", ", "};

/// Before, the words, and After, concatenated. kWords is a constexpr array of texts that need no
/// escape.
template <const auto& kWords, const ListStyle& kStyle, Literal Before, Literal After>
struct Joined {
  static constexpr void write(auto append) {
    append(Before.view());
    for (std::size_t i = 0; i < kWords.size(); ++i) {
      if (i > 0) append(i + 1 == kWords.size() ? kStyle.before_last : kStyle.between);
      append(kStyle.quote);
      append(kWords[i]);
      append(kStyle.quote);
    }
    append(After.view());
  }

  static constexpr std::size_t kLength = [] {
    std::size_t length = 0;
    write([&](std::string_view part) { length += part.size(); });
    return length;
  }();

  static constexpr std::array<char, kLength> kText = [] {
    std::array<char, kLength> text{};
    auto end = text.begin();
    write([&](std::string_view part) { end = std::ranges::copy(part, end).out; });
    return text;
  }();

  static constexpr std::string_view kView{kText.data(), kText.size()};
};

/// The words of a template as an array for Joined.
template <Literal... Words>
struct WordList {
  static constexpr std::array<std::string_view, sizeof...(Words)> kWords{Words.view()...};
};

}  // namespace winadmit
