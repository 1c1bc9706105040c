#include "policy/field_path.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace winadmit {
namespace {

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// Keys that are no identifiers (annotations, labels) are written in brackets.
bool is_identifier(std::string_view key) {
  return !key.empty() && std::ranges::all_of(key, is_letter_or_digit);
}

/// What tells an entry of a list from its siblings: the merge key of its type, or "".
std::string_view name_of(simdjson::dom::element entry) {
  for (const std::string_view key : {"mountPath", "name"}) {
    std::string_view name;
    if (entry.at_key(key).get(name) == simdjson::SUCCESS && !name.empty()) return name;
  }
  return {};
}

void append_number(std::string& to, std::size_t number) {
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  to.append(digits.data(), end);
}

}  // namespace

FieldPath::FieldPath(std::initializer_list<std::string_view> keys) : FieldPath() {
  for (const std::string_view key : keys) enter(key);
}

std::string FieldPath::render(bool by_name) const {
  std::string text;
  text.reserve(steps_.size() * 16);
  for (const Step& step : steps_) {
    if (step.index != kNoIndex) {
      const std::string_view name = by_name && step.entry ? name_of(*step.entry) : "";
      text += '[';
      if (name.empty()) {
        append_number(text, step.index);
      } else {
        text += name;
      }
      text += ']';
    } else if (is_identifier(step.key)) {
      if (!text.empty()) text += '.';
      text += step.key;
    } else {
      text += '[';
      text += step.key;
      text += ']';
    }
  }
  return text;
}

std::string FieldPath::text() const { return render(false); }

std::string FieldPath::identity() const { return render(true); }

std::string FieldPath::pointer() const {
  std::string pointer;
  for (const Step& step : steps_) {
    pointer += '/';
    if (step.index != kNoIndex) {
      append_number(pointer, step.index);
    } else {
      pointer += escape_pointer_token(step.key);
    }
  }
  return pointer;
}

std::string escape_pointer_token(std::string_view token) {
  std::string escaped;
  escaped.reserve(token.size() + 4);
  for (const char c : token) {
    if (c == '~') {
      escaped += "~0";
    } else if (c == '/') {
      escaped += "~1";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

}  // namespace winadmit
