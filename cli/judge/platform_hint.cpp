#include "cli/judge/platform_hint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "policy/json/json.hpp"
#include "policy/pod/platform.hpp"

namespace winadmit::cli {
namespace {

/// The ids of the platforms of which `is_meant` is true, but not of the one that stands for all.
template <class IsMeant>
std::string names_of_platforms(IsMeant is_meant) {
  std::vector<std::string_view> names;
  for (const Platform& each : platforms()) {
    if (!each.taints_are_alternatives && is_meant(each)) names.push_back(each.id);
  }
  if (names.empty()) return {};
  return fmt::format("{}", fmt::join(names, " or "));
}

}  // namespace

std::string platforms_selected_by(const Pod& pod, const Settings& settings) {
  if (!pod.node_selector) return {};
  const WindowsLabels& configured = settings.target.windows_labels;
  const auto is_configured = [&](const PlatformLabel& label) {
    const auto values = configured.find(label.key);
    return values != configured.end() && values->second.contains(label.value);
  };
  return names_of_platforms([&](const Platform& platform) {
    return std::ranges::any_of(platform.labels, [&](const PlatformLabel& label) {
      return string_member(*pod.node_selector, label.key) == label.value && !is_configured(label);
    });
  });
}

std::string platforms_tolerated_by(const Pod& pod) {
  return names_of_platforms([&](const Platform& platform) {
    return pod.tolerations.tolerates_any_by_name(tolerations_of(platform));
  });
}

}  // namespace winadmit::cli
