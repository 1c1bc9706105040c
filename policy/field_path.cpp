#include "policy/field_path.hpp"

#include <algorithm>
#include <cctype>

namespace winadmit {
namespace {

/// Keys that are no identifiers (annotations, labels) are written in brackets.
bool is_identifier(std::string_view key) {
  return !key.empty() && std::ranges::all_of(key, [](unsigned char c) { return std::isalnum(c); });
}

}  // namespace

FieldPath::FieldPath(std::initializer_list<std::string_view> keys) : FieldPath() {
  for (const std::string_view key : keys) enter(key);
}

std::string FieldPath::render(bool by_name) const {
  std::string text;
  for (const Step& step : steps_) {
    if (step.index != kNoIndex) {
      const bool named = by_name && !step.name.empty();
      text += '[';
      text += named ? std::string(step.name) : std::to_string(step.index);
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
    pointer += step.index != kNoIndex ? std::to_string(step.index) : escape_pointer_token(step.key);
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
