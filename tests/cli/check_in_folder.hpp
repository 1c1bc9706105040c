// `winadmit check` in a folder of the test.
#pragma once

#include <string>

#include "tests/cli/binary.hpp"

namespace winadmit::test {

class CheckInFolder : public Binary {
 protected:
  /// With one finding. `metadata` follows the name.
  static std::string pod(const std::string& name, const std::string& metadata = "") {
    return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + name + metadata +
           "}\nspec:\n  os: {name: windows}\n  hostPID: true\n";
  }

  Result check(const std::string& arguments, const std::string& input = "/dev/null") const {
    return run("check " + arguments, "cd " + folder_.path().string() + " &&", input);
  }
};

/// A pod with so many privileged containers, the last of which ignores that if `ignores_last`.
inline std::string pod_with_findings(int count, bool ignores_last = false) {
  std::string text =
      "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  os: {name: windows}\n"
      "  containers:\n";
  for (int i = 0; i < count; ++i) {
    text += "  - {name: c" + std::to_string(i) + ", image: i, securityContext: {privileged: true}}";
    text += ignores_last && i + 1 == count ? "  # winadmit: ignore privileged\n" : "\n";
  }
  return text;
}

}  // namespace winadmit::test
