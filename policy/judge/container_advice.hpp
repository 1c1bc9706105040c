// Advice on the containers of a Windows pod: their images, sidecars and memory.
#pragma once

#include "policy/judge/advice_sink.hpp"
#include "policy/judge/platform_builds.hpp"
#include "policy/pod/pod.hpp"
#include "policy/pod/target.hpp"

namespace winadmit {

void advise_on_containers(const Pod& pod, const Target& target, const PlatformBuilds& platform,
                          AdviceSink& advice);

}  // namespace winadmit
