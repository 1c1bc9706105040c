// Manifests for tests of `winadmit check`.
#pragma once

#include "tests/cli/binary.hpp"

namespace winadmit::test {

class CheckFiles : public Binary {
 protected:
  /// With one finding.
  static constexpr const char* kBad =
      "{apiVersion: v1, kind: Pod, metadata: {name: bad}, spec: {os: {name: windows}, hostPID: "
      "true}}\n";
  /// Without a pod.
  static constexpr const char* kGood = "{apiVersion: v1, kind: Namespace, metadata: {name: n}}\n";
};

}  // namespace winadmit::test
