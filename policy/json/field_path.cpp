#include "policy/json/field_path.hpp"

#include <stdexcept>

#include "policy/json/hash.hpp"
#include "text/printable.hpp"

namespace winadmit {
namespace {

/// What says that an entry of a list is the same as before, or "". The name of a mount is that of
/// its volume. A port has a name here: its merge key in k8s.io/api, containerPort, is its value.
std::string_view name_of(simdjson::dom::element entry) {
  for (const std::string_view key : {"mountPath", "name"}) {
    std::string_view name;
    if (entry.at_key(key).get(name) == simdjson::SUCCESS && !name.empty()) return name;
  }
  return {};
}

}  // namespace

FieldPath::FieldPath(std::initializer_list<std::string_view> members) {
  for (const std::string_view member : members) enter(member);
}

void FieldPath::throw_too_deep() { throw std::length_error("a field path has too many steps"); }

std::string FieldPath::to_string() const {
  std::string text;
  for (const Step& step : steps()) {
    if (step.kind == Kind::member) {
      if (!text.empty()) text += '.';
      text += step.key;
      continue;
    }
    text += '[';
    if (step.kind == Kind::key) {
      text += echo(step.key);
    } else {
      text += std::to_string(step.index);
    }
    text += ']';
  }
  return text;
}

void FieldPath::add_identity(Hasher& hash) const {
  for (std::size_t i = 0; i < size_; ++i) {
    Step& step = steps_[i];
    if (step.kind != Kind::entry) {
      hash.add(step.key);
      continue;
    }
    if (!step.has_identity) {
      const std::string_view name = name_of(step.entry);
      // An entry named "0" differs from a nameless entry at index 0.
      step.identity =
          Hasher().add(name).add(name.empty() ? step.index + std::uint64_t{1} : 0).value();
      step.has_identity = true;
    }
    hash.add(step.identity);
  }
}

std::string FieldPath::json_pointer() const {
  std::string pointer;
  for (const Step& step : steps()) {
    pointer += '/';
    if (step.kind == Kind::entry) {
      pointer += std::to_string(step.index);
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
