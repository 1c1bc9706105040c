#include "cli/fields/placement_fields.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "text/similar.hpp"
#include "text/text.hpp"

namespace winadmit::cli {
namespace {

constexpr std::string_view kWindowsOptions = "windowsOptions";

constexpr auto kNames = std::to_array<std::string_view>({
    "nodeSelector",
    "nodeName",
    "tolerations",
    "affinity",
    "nodeAffinity",
    "podAffinity",
    "podAntiAffinity",
    "preferredDuringSchedulingIgnoredDuringExecution",
    "requiredDuringSchedulingIgnoredDuringExecution",
    "nodeSelectorTerms",
    "os",
    "runtimeClassName",
    kWindowsOptions,
    "hostProcess",
    "runAsUserName",
    "gmsaCredentialSpec",
    "gmsaCredentialSpecName",
});

bool begins_with_windows(std::string_view name) {
  constexpr std::string_view kWindows = "windows";
  return equals_ignoring_case(name.substr(0, kWindows.size()), kWindows);
}

}  // namespace

std::span<const std::string_view> placement_fields() { return kNames; }

bool is_placement_field(std::string_view name) {
  return std::ranges::find(kNames, name) != kNames.end();
}

std::string_view near_placement_field(std::string_view name) {
  constexpr std::size_t kLongest = 64;
  constexpr std::size_t kLettersForAMistake = 6;
  if (name.size() > kLongest) return {};
  std::string letters(name);
  std::erase_if(letters, [](char c) { return c == '_' || c == '-' || c == ' '; });
  std::string_view nearest = begins_with_windows(letters) ? kWindowsOptions : std::string_view();
  std::size_t best = std::numeric_limits<std::size_t>::max();
  for (const std::string_view each : kNames) {
    const std::size_t most = each.size() / kLettersForAMistake;
    if (letters.size() + most < each.size() || letters.size() > each.size() + most) continue;
    const std::size_t distance = edit_distance(letters, each);
    if (distance >= best || distance > most) continue;
    nearest = each;
    best = distance;
  }
  return nearest;
}

}  // namespace winadmit::cli
