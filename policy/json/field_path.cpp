#include "policy/json/field_path.hpp"

#include <optional>
#include <stdexcept>

#include "policy/json/hash.hpp"
#include "text/json_pointer.hpp"
#include "text/printable.hpp"

namespace winadmit {
namespace {

/// The first of these members that is a text and not empty. The name of a mount is that of its
/// volume. An entry of items (KeyToPath) has a path.
std::optional<std::uint64_t> identity_by_name(simdjson::dom::element object) {
  for (const std::string_view key : {"mountPath", "name", "path"}) {
    std::string_view name;
    if (object.at_key(key).get(name) == simdjson::SUCCESS && !name.empty())
      return Hasher().add(key).add(name).value();
  }
  return std::nullopt;
}

/// What says that an entry of a list is the same as before, wherever it is: its name, the number of
/// a port without one, or the only member of an entry of projected.sources and the name in it.
/// Nothing if it has none of these.
std::optional<std::uint64_t> identity_of(simdjson::dom::element entry) {
  if (const auto identity = identity_by_name(entry)) return identity;
  std::uint64_t port = 0;
  if (entry.at_key("containerPort").get(port) == simdjson::SUCCESS)
    return Hasher().add("containerPort").add(port).value();
  simdjson::dom::object object;
  if (entry.get(object) != simdjson::SUCCESS || object.size() != 1) return std::nullopt;
  const auto [key, source] = *object.begin();
  if (key == "downwardAPI") return Hasher().add(key).value();  // has items alone
  const auto inner = identity_by_name(source);
  return inner ? std::optional(Hasher().add(key).add(*inner).value()) : std::nullopt;
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
      step.identity = identity_of(step.entry).value_or(step.index);
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

}  // namespace winadmit
