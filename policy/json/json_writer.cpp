#include "policy/json/json_writer.hpp"

#include <simdjson.h>

#include <algorithm>
#include <experimental/simd>
#include <nlohmann/json.hpp>
#include <string>

namespace winadmit {
namespace {

void append(fmt::memory_buffer& to, std::string_view text) {
  to.append(text.data(), text.data() + text.size());
}

/// The position of the first byte that JSON escapes or that is not ASCII; the size if there is
/// none. Compares 16 bytes or more at a time, because most of a response is text: one byte at a
/// time took a tenth of the time of a refusal.
std::size_t find_special(std::string_view text) {
  namespace simd = std::experimental;
  using Byte = signed char;
  using Bytes = simd::native_simd<Byte>;
  // As signed numbers, control characters and non-ASCII bytes are less than a space.
  const auto is_special = [](const auto& bytes) {
    return bytes < Byte{' '} || bytes == Byte{'"'} || bytes == Byte{'\\'};
  };
  if (text.size() < Bytes::size()) {
    const auto found = std::ranges::find_if(text, [&](Byte byte) { return is_special(byte); });
    return static_cast<std::size_t>(found - text.begin());
  }
  // The last step may compare some bytes a second time.
  const std::size_t last = text.size() - Bytes::size();
  for (std::size_t at = 0;; at = std::min(at + Bytes::size(), last)) {
    const Bytes bytes(reinterpret_cast<const Byte*>(text.data()) + at, simd::element_aligned);
    const auto found = is_special(bytes);
    if (simd::any_of(found)) return at + static_cast<std::size_t>(simd::find_first_set(found));
    if (at == last) return text.size();
  }
}

void append_escaped(fmt::memory_buffer& to, char c) {
  static constexpr std::string_view kNamed = "\"\\\b\f\n\r\t";
  static constexpr std::string_view kNames = "\"\\bfnrt";
  if (const std::size_t named = kNamed.find(c); named != std::string_view::npos) {
    to.push_back('\\');
    to.push_back(kNames[named]);
  } else {
    fmt::format_to(fmt::appender(to), "\\u{:04x}", static_cast<unsigned char>(c));
  }
}

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

}  // namespace

void append_json_string(fmt::memory_buffer& to, std::string_view text) {
  const std::size_t begin = to.size();
  bool is_valid_utf8 = false;
  std::string_view rest = text;
  to.push_back('"');
  for (;;) {
    const std::size_t special = find_special(rest);
    append(to, rest.substr(0, special));
    if (special == rest.size()) break;
    const char c = rest[special];
    rest.remove_prefix(special + 1);
    if (is_ascii(c)) {
      append_escaped(to, c);
      continue;
    }
    if (!is_valid_utf8 && !simdjson::validate_utf8(text.data(), text.size())) {
      to.resize(begin);
      const auto replace = nlohmann::json::error_handler_t::replace;
      return append(to, nlohmann::json(text).dump(-1, ' ', false, replace));
    }
    is_valid_utf8 = true;
    to.push_back(c);
  }
  to.push_back('"');
}

void JsonWriter::separate() {
  if (wants_comma_) to_.push_back(',');
  wants_comma_ = true;
}

JsonWriter& JsonWriter::open(char bracket) {
  separate();
  to_.push_back(bracket);
  wants_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  to_.push_back(bracket);
  wants_comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  string(name);
  to_.push_back(':');
  wants_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::string(std::string_view text) {
  separate();
  append_json_string(to_, text);
  return *this;
}

JsonWriter& JsonWriter::number(std::int64_t number) {
  separate();
  fmt::format_to(fmt::appender(to_), "{}", number);
  return *this;
}

JsonWriter& JsonWriter::json(std::string_view value) {
  separate();
  append(to_, value);
  return *this;
}

}  // namespace winadmit
