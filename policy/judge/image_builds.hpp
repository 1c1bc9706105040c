// Whether a Windows node can run the images of a pod, by the builds that their tags name.
#pragma once

#include <string>
#include <vector>

#include "policy/judge/platform_builds.hpp"
#include "policy/pod/builds.hpp"
#include "policy/pod/image.hpp"
#include "policy/pod/pod.hpp"
#include "policy/pod/target.hpp"

namespace winadmit {

/// Whether the image of a container says nothing about the build of its node: a HostProcess
/// container runs on every build.
bool runs_on_every_build(const Pod& pod, JsonObject container, Version kubernetes);

/// The images of one pod whose tags name a build.
class ImageBuilds {
 public:
  /// The arguments must outlive the object.
  ImageBuilds(const Pod& pod, const Target& target, const PlatformBuilds& platform)
      : pod_(pod), target_(target), platform_(platform) {}

  /// To be called for each container whose image may run on Windows.
  void add(const Container& container, const Image& image);

  struct Fault {
    Container container;
    std::string reason;
  };

  /// The images that no node can run, alone or together with the oldest of the pod. None if the
  /// builds of the nodes are not known. The order of the containers of a list does not matter.
  std::vector<Fault> find_faults() const;

 private:
  struct Entry {
    Container container;
    const WindowsBuild* build;
    bool is_clearly_windows;
  };

  /// The builds of the nodes that the pod may be scheduled to.
  struct Hosts {
    Builds builds;           // empty: not known
    bool are_named = false;  // by the pod
  };

  Hosts find_hosts() const;
  Builds find_named_hosts() const;
  /// Whether an image is judged: where the pod names no hosts, its tag must be no version.
  static bool counts(const Entry& entry, const Hosts& hosts);
  /// Of the images that a host can run; null if there is none.
  const WindowsBuild* find_oldest(const Hosts& hosts) const;
  static std::string find_fault(const WindowsBuild& build, const WindowsBuild* oldest,
                                const Hosts& hosts);

  const Pod& pod_;
  const Target& target_;
  const PlatformBuilds& platform_;
  std::vector<Entry> entries_;
};

}  // namespace winadmit
