#include "cli/judge/field_pointer.hpp"

#include <charconv>

#include "policy/json/field_path.hpp"

namespace winadmit::cli {
namespace {

using nlohmann::json;

/// Removes the first step from `path`: a member, or what is in brackets.
std::string_view take_step(std::string_view& path) {
  const bool is_bracketed = path.starts_with('[');
  if (is_bracketed || path.starts_with('.')) path.remove_prefix(1);
  const std::size_t end = path.find_first_of(is_bracketed ? "]" : ".[");
  const std::string_view step = path.substr(0, end);
  path.remove_prefix(end == path.npos ? path.size() : end + (is_bracketed ? 1 : 0));
  return step;
}

const json* find_child(const json& parent, std::string_view step) {
  if (parent.is_object()) {
    const auto found = parent.find(step);
    return found == parent.end() ? nullptr : &*found;
  }
  if (!parent.is_array()) return nullptr;
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), index);
  const bool is_index = error == std::errc{} && end == step.data() + step.size();
  return is_index && index < parent.size() ? &parent[index] : nullptr;
}

}  // namespace

std::optional<std::string> find_pointer(const json& object, std::string_view path) {
  std::string pointer;
  const json* at = &object;
  while (!path.empty()) {
    const std::string_view step = take_step(path);
    at = find_child(*at, step);
    if (at == nullptr) return std::nullopt;
    pointer += '/' + escape_pointer_token(step);
  }
  return pointer;
}

}  // namespace winadmit::cli
