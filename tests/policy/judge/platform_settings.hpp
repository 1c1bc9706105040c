// Settings of a platform.
#pragma once

#include <string_view>

#include "policy/judge/settings.hpp"
#include "policy/pod/platform.hpp"

namespace winadmit::test {

/// `platform`: an id of a platform.
inline Settings platform_settings(std::string_view platform) {
  Settings settings;
  settings.set_platform(*find_platform(platform));
  return settings;
}

}  // namespace winadmit::test
