// Settings of a platform, as the configuration makes them.
#pragma once

#include <string_view>

#include "policy/judge/settings.hpp"
#include "policy/pod/platform.hpp"

namespace winadmit::test {

/// `platform`: an id of a platform.
inline Settings platform_settings(std::string_view platform) {
  const Platform& chosen = *find_platform(platform);
  Settings settings;
  settings.tolerations = tolerations_of(chosen);
  settings.tolerations_by_build = tolerations_by_build_of(chosen);
  settings.tolerations_are_alternatives = chosen.taints_are_alternatives;
  settings.target.windows_labels = windows_labels_of(chosen);
  return settings;
}

}  // namespace winadmit::test
