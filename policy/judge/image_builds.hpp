// Whether a Windows node can run the images of a pod, by the builds that their tags name.
#pragma once

#include <optional>
#include <string>

#include "policy/judge/platform_builds.hpp"
#include "policy/pod/image.hpp"
#include "policy/pod/pod.hpp"
#include "policy/pod/target.hpp"

namespace winadmit {

/// Whether the image of a container says nothing about the build of its node: a HostProcess
/// container runs on every build.
bool runs_on_every_build(const Pod& pod, JsonObject container, Version kubernetes);

/// The images of one pod.
class ImageBuilds {
 public:
  /// The arguments must outlive the object.
  ImageBuilds(const Pod& pod, const Target& target, const PlatformBuilds& platform)
      : pod_(pod), target_(target), platform_(platform) {}

  /// Why no node can run the image of a container, alone or together with those given before; empty
  /// if a node can, or if that is not known. To be called once for each container, in their order.
  std::string find_fault(JsonObject container, const Image& image);

 private:
  /// The builds of the nodes that the pod may be scheduled to.
  struct Hosts {
    Builds builds;           // empty: not known
    bool are_named = false;  // by the pod
  };

  Hosts find_hosts() const;
  Builds find_named_hosts() const;

  const Pod& pod_;
  const Target& target_;
  const PlatformBuilds& platform_;
  std::optional<Hosts> hosts_;                 // few pods need them
  const WindowsBuild* first_build_ = nullptr;  // of the first image that a node can run
};

}  // namespace winadmit
