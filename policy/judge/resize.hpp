// The resize of a running pod: a request to pods/resize.
#pragma once

#include <string_view>

#include "policy/judge/finding.hpp"
#include "policy/judge/settings.hpp"
#include "policy/pod/pod.hpp"

namespace winadmit {

/// Not advice but a denial: the kubelet of a Windows node never does it.
inline constexpr std::string_view kPodResize = "pod-resize";

/// Reports every container of a Windows pod whose resources the request changes.
void judge_resize(const Pod& old_pod, const Pod& pod, const Settings& settings,
                  FindingSink& findings);

}  // namespace winadmit
