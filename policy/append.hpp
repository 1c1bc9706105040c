// Texts put together piece by piece.
#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace winadmit {

/// A text that is built anew for every request. What a std::string gets at its end is zeroed before
/// it is written; here it is not.
class TextBuffer {
 public:
  std::size_t size() const { return bytes_.size(); }
  std::size_t capacity() const { return bytes_.capacity(); }
  char* data() { return bytes_.data(); }
  void clear() { bytes_.clear(); }
  void reserve(std::size_t capacity) { bytes_.reserve(capacity); }
  /// What is new is to be written by the caller.
  void resize(std::size_t size) { bytes_.resize(size); }
  std::string_view text() const { return {bytes_.data(), bytes_.size()}; }

 private:
  template <class T>
  struct Uninitialized : std::allocator<T> {
    template <class U>
    struct rebind {  // NOLINT: named as allocators name it
      using other = Uninitialized<U>;
    };
    template <class U>
    void construct(U* at) {
      ::new (static_cast<void*>(at)) U;
    }
    template <class U, class... Args>
    void construct(U* at, Args&&... args) {
      std::construct_at(at, std::forward<Args>(args)...);
    }
  };
  std::vector<char, Uninitialized<char>> bytes_;
};

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

/// Appends the pieces, texts and literals, to a std::string or a TextBuffer. One look at the
/// capacity for all of them; a call of std::string::append for each was a tenth of a refusal.
template <class To, class... Pieces>
void append(To& to, const Pieces&... pieces) {
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
