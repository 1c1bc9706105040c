// Patches as texts.
#pragma once

#include <string>

#include "policy/judge/patch.hpp"

namespace winadmit::test {

/// "add /spec/os {...}": the operations, each on a line.
inline std::string patch_text(const Patch& patch) {
  std::string text;
  for (const PatchOperation& each : patch) {
    text += std::string(each.op) + ' ' + each.path + ' ' + each.value + '\n';
  }
  return text;
}

}  // namespace winadmit::test
