// A Windows pod that fix changes.
#pragma once

namespace winadmit::test {

inline constexpr const char* kUnplacedPod =
    "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {os: {name: windows}, "
    "containers: [{image: a}]}}\n";

}  // namespace winadmit::test
