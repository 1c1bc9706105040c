// Whether a Windows node can run the images of a pod, by the builds that their tags name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "policy/judge/settings.hpp"
#include "policy/pod/builds.hpp"
#include "policy/pod/image.hpp"
#include "policy/pod/pod.hpp"
#include "policy/pod/target.hpp"

namespace winadmit {

/// The builds of the nodes that may get a pod that names no build: all that Kubernetes supports,
/// or, where taints tell the build, those that are configured.
std::vector<const WindowsBuild*> platform_builds(const Settings& settings);

/// The images of one pod.
class ImageBuilds {
 public:
  /// The arguments must outlive the object.
  ImageBuilds(const Pod& pod, const Target& target, const Settings& settings)
      : pod_(pod), target_(target), settings_(settings) {}

  /// Why no node can run the image, alone or beside those given before; empty if a node can, or
  /// if that is not known. To be called once for each image, in the order of the containers.
  std::string find_fault(const Image& image);

 private:
  /// The builds of the nodes that the pod may be scheduled to.
  struct Hosts {
    std::vector<const WindowsBuild*> builds;  // empty: not known
    bool are_named = false;                   // by the pod
  };

  Hosts find_hosts() const;
  std::vector<const WindowsBuild*> find_named_hosts() const;

  const Pod& pod_;
  const Target& target_;
  const Settings& settings_;
  std::optional<Hosts> hosts_;            // few pods need them
  const WindowsBuild* beside_ = nullptr;  // of the first image that a node can run
};

}  // namespace winadmit
