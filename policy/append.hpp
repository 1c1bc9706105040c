// Texts put together piece by piece.
#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace winadmit {

/// A number as a piece, in decimal.
class Decimal {
 public:
  explicit Decimal(std::size_t number) {
    const auto end = std::to_chars(digits_.data(), digits_.data() + digits_.size(), number).ptr;
    size_ = static_cast<std::size_t>(end - digits_.data());
  }
  operator std::string_view() const { return {digits_.data(), size_}; }  // NOLINT: is a text

 private:
  std::array<char, 20> digits_;
  std::size_t size_;
};

/// A piece as a string_view: of a literal, its length is known to the compiler.
template <std::size_t N>
constexpr std::string_view to_piece(const char (&literal)[N]) {
  return {literal, N - 1};
}
constexpr std::string_view to_piece(std::string_view text) { return text; }

/// Appends the pieces: texts and literals. One look at the capacity for all of them; a call of
/// std::string::append for each was a tenth of a refusal.
template <class... Pieces>
void append(std::string& to, const Pieces&... pieces) {
  const std::size_t end = to.size();
  to.resize(end + (to_piece(pieces).size() + ...));
  char* at = to.data() + end;
  const auto put = [&at](std::string_view piece) {
    if (!piece.empty()) std::memcpy(at, piece.data(), piece.size());
    at += piece.size();
  };
  (put(to_piece(pieces)), ...);
}

}  // namespace winadmit
