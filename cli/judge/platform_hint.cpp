#include "cli/judge/platform_hint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "cli/judge/check_advice.hpp"
#include "policy/json/json.hpp"
#include "policy/judge/advice.hpp"
#include "policy/judge/advice_kinds.hpp"
#include "policy/pod/image.hpp"
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

constexpr std::string_view kChoosePlatform =
    "choose the platform of the nodes with --platform, or set nodeSelector kubernetes.io/os: "
    "windows if the pod is for Windows";

/// Also by the name of the image, such as iis-ltsc2019 or agent-windows.
bool is_for_windows(const Image& image) {
  const std::string_view name = image.repository.substr(image.repository.rfind('/') + 1);
  const auto has = [name](std::string_view word) { return name.find(word) != name.npos; };
  if (is_clearly_windows(image)) return true;
  if (has("linux") || has("cross") || has("for-windows")) return false;  // builds for Windows
  return name.ends_with("-windows") || has("-ltsc2019") || has("-ltsc2022") || has("-ltsc2025");
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

void advise_on_os_hint(const Pod& pod, const Target& target, const Settings& settings,
                       FindingSink& findings) {
  const bool has_signal = !target.windows_signals.empty() || !target.linux_signals.empty();
  if (!pod.spec || has_signal || target.os == Os::windows || may_be_sent_to_windows(pod) ||
      action_of_advice(kAdviceHint, settings) == Action::allow) {
    return;
  }
  if (const std::string names = platforms_selected_by(pod, settings); !names.empty()) {
    FieldPath path = pod.spec_path();
    path.enter("nodeSelector");
    return add_warning(kAdviceHint, path, "selects the Windows nodes of the platform " + names,
                       findings, kChoosePlatform);
  }
  if (!platforms_tolerated_by(pod).empty()) {
    FieldPath path = pod.spec_path();
    path.enter("tolerations");
    return add_warning(kAdviceHint, path, kWindowsTaintHint, findings);
  }
  if (const auto image = find_image(pod, is_for_windows)) {
    add_warning(kAdviceHint, *image, kWindowsImageHint, findings);
  }
}

}  // namespace winadmit::cli
