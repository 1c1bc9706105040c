// What follows from a finding.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace winadmit {

enum class Action {
  allow,  // ignored; set by configuration only
  warn,   // admitted, with a warning that kubectl prints
  deny,   // refused
  strip,  // the mutating webhook removes the field; set by configuration only
};

inline constexpr auto kActionNames =
    std::to_array<std::string_view>({"allow", "warn", "deny", "strip"});
static_assert(kActionNames.size() == static_cast<std::size_t>(Action::strip) + 1);

constexpr std::string_view to_string(Action action) {
  return kActionNames[static_cast<std::size_t>(action)];
}

constexpr std::optional<Action> parse_action(std::string_view name) {
  const auto found = std::ranges::find(kActionNames, name);
  if (found == kActionNames.end()) return std::nullopt;
  return static_cast<Action>(found - kActionNames.begin());
}

}  // namespace winadmit
