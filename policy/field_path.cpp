#include "policy/field_path.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "policy/append.hpp"

namespace winadmit {
namespace {

/// What tells an entry of a list from its siblings: the merge key of its type, or "".
std::string_view name_of(simdjson::dom::element entry) {
  for (const std::string_view key : {"mountPath", "name"}) {
    std::string_view name;
    if (entry.at_key(key).get(name) == simdjson::SUCCESS && !name.empty()) return name;
  }
  return {};
}

}  // namespace

FieldPath::FieldPath(std::initializer_list<std::string_view> members) : FieldPath() {
  for (const std::string_view member : members) enter(member);
}

FieldPath& FieldPath::operator=(const FieldPath& other) {
  std::uninitialized_copy_n(other.steps_.begin(), other.size_, steps_.begin());
  size_ = other.size_;
  return *this;
}

void FieldPath::refuse() { throw std::length_error("a field deeper than any that is read"); }

std::string FieldPath::render(bool by_name) const {
  std::string text;
  text.reserve(96);  // most are shorter
  for (const Step& step : steps()) {
    if (step.kind == Kind::member) {
      if (!text.empty()) text += '.';
      text += step.key;
    } else if (step.kind == Kind::key) {
      append(text, "[", step.key, "]");
    } else if (const auto name = by_name ? name_of(step.entry) : ""; !name.empty()) {
      append(text, "[", name, "]");
    } else {
      append(text, "[", Decimal(step.index), "]");
    }
  }
  return text;
}

std::string FieldPath::text() const { return render(false); }

bool FieldPath::is_plain() const {
  return std::ranges::none_of(steps(), [](const Step& step) { return step.kind == Kind::key; });
}

std::string FieldPath::identity() const { return render(true); }

std::string FieldPath::pointer() const {
  std::string pointer;
  for (const Step& step : steps()) {
    if (step.kind == Kind::entry) {
      append(pointer, "/", Decimal(step.index));
    } else {
      append(pointer, "/", escape_pointer_token(step.key));
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
