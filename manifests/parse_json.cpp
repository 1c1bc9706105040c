#include "manifests/parse_json.hpp"

#include <simdjson.h>

#include <charconv>
#include <string>

#include "manifests/characters.hpp"
#include "manifests/utf8.hpp"
#include "text/text.hpp"

namespace winadmit::manifests {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

class Reader {
 public:
  Reader(Document& document, std::string_view text, const Limits& limits)
      : document_(document),
        text_(text),
        limits_(limits),
        values_(ValueCount::of_document(limits)) {}

  void read() {
    if (const auto valid = simdjson::validate_utf8(text_.data(), text_.size()); !valid)
      fail(kNotUtf8);
    skip_space();
    document_.add_root(value(0));
    skip_space();
    if (at_ != text_.size()) fail("expected the end of the JSON value");
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw ParseError(at_, what); }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_space() { at_ = std::min(text_.find_first_not_of(kSpace, at_), text_.size()); }

  NodeId begin(Node::Kind kind) {
    values_.add(at_);
    return document_.add({.kind = kind, .begin = static_cast<std::uint32_t>(at_), .text = {}});
  }

  void end(NodeId id) { document_[id].end = static_cast<std::uint32_t>(at_); }

  NodeId value(std::size_t depth) {
    switch (peek()) {
      case '{':
        return collection(Node::Kind::mapping, '}', depth);
      case '[':
        return collection(Node::Kind::sequence, ']', depth);
      case '"':
        return string();
      default:
        return literal();
    }
  }

  NodeId collection(Node::Kind kind, char close, std::size_t depth) {
    if (depth >= limits_.depth) throw too_deep(at_, limits_);
    const NodeId id = begin(kind);
    document_[id].is_flow = true;
    ++at_;
    skip_space();
    NodeId last = kNoNode;
    const auto append = [&](NodeId child) {
      document_.append_child(id, last, child);
      last = child;
    };
    while (peek() != close) {
      if (last != kNoNode) {
        if (peek() != ',') fail(std::string("expected ',' or '") + close + '\'');
        ++at_;
        skip_space();
      }
      if (kind == Node::Kind::mapping) {
        if (peek() != '"') fail("expected a key in double quotes");
        append(string());
        skip_space();
        if (peek() != ':') fail("expected ':'");
        ++at_;
        skip_space();
      }
      append(value(depth + 1));
      skip_space();
    }
    ++at_;
    end(id);
    return id;
  }

  /// true, false, null and numbers: their text decides.
  NodeId literal() {
    const NodeId id = begin(Node::Kind::scalar);
    const std::size_t start = at_;
    at_ = std::min(text_.find_first_not_of("+-.0123456789Eaeflnrstu", at_), text_.size());
    const std::string_view word = text_.substr(start, at_ - start);
    if (word != "true" && word != "false" && word != "null" && !is_number(word)) {
      at_ = start;
      fail("expected a JSON value");
    }
    document_[id].text = word;
    document_[id].is_resolved = true;
    end(id);
    return id;
  }

  static bool is_number(std::string_view word) {
    std::size_t i = 0;
    const auto digits = [&] {
      const std::size_t first = i;
      while (i < word.size() && is_digit(word[i])) ++i;
      return i - first;
    };
    if (word.starts_with('-')) ++i;
    const bool starts_with_zero = i < word.size() && word[i] == '0';
    const std::size_t whole = digits();
    if (whole == 0 || (starts_with_zero && whole > 1)) return false;
    if (i < word.size() && word[i] == '.') {
      ++i;
      if (digits() == 0) return false;
    }
    if (i < word.size() && (word[i] == 'e' || word[i] == 'E')) {
      ++i;
      if (i < word.size() && (word[i] == '+' || word[i] == '-')) ++i;
      if (digits() == 0) return false;
    }
    return i == word.size();
  }

  NodeId string() {
    const NodeId id = begin(Node::Kind::scalar);
    const std::size_t start = ++at_;
    std::string unescaped;
    bool has_escapes = false;
    while (peek() != '"') {
      if (at_ == text_.size()) fail("the string has no end");
      if (static_cast<unsigned char>(text_[at_]) < 0x20U) fail("a control character in a string");
      if (text_[at_] != '\\') {
        if (has_escapes) unescaped += text_[at_];
        ++at_;
        continue;
      }
      if (!has_escapes) unescaped = text_.substr(start, at_ - start);
      has_escapes = true;
      escape(unescaped);
    }
    document_[id].text =
        has_escapes ? document_.keep(std::move(unescaped)) : text_.substr(start, at_ - start);
    ++at_;
    end(id);
    return id;
  }

  void escape(std::string& to) {
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    ++at_;
    if (peek() == 'u') {
      to_utf8(to);
      return;
    }
    const std::size_t letter = kLetters.find(peek());
    if (at_ == text_.size() || letter == std::string_view::npos) fail("unknown escape");
    to += kMeanings[letter];
    ++at_;
  }

  /// Half a pair of surrogates becomes U+FFFD, as in Go's encoding/json.
  void to_utf8(std::string& to) {
    const std::uint32_t first = code_unit();
    if (!is_high_surrogate(first)) {
      if (is_low_surrogate(first)) {
        to += kReplacement;
      } else {
        append_utf8(to, first);
      }
      return;
    }
    const std::size_t after_first = at_;
    if (text_.substr(at_, 2) == "\\u") {
      ++at_;
      const std::uint32_t second = code_unit();
      if (is_low_surrogate(second)) {
        append_utf8(to, join_surrogates(first, second));
        return;
      }
    }
    at_ = after_first;
    to += kReplacement;
  }

  /// Reads "uXXXX".
  std::uint32_t code_unit() {
    const std::string_view digits = text_.substr(at_ + 1, 4);
    std::uint32_t unit = 0;
    const auto [stop, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), unit, 16);
    if (error != std::errc{} || digits.size() != 4 || stop != digits.data() + 4)
      fail("expected four hexadecimal digits");
    at_ += 5;
    return unit;
  }

  Document& document_;
  std::string_view text_;
  const Limits& limits_;
  ValueCount values_;
  std::size_t at_ = 0;
};

}  // namespace

void parse_json(Document& document, const Limits& limits) {
  parse_json(document, document.text().substr(0, document.text().size() - document.tail()), limits);
}

void parse_json(Document& document, std::string_view read, const Limits& limits) {
  Reader(document, read, limits).read();
  document.set_json();
}

}  // namespace winadmit::manifests
