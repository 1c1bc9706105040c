#include "policy/judge/image_builds.hpp"

#include <algorithm>
#include <utility>

#include "policy/pod/security_context.hpp"

namespace winadmit {
namespace {

bool any_runs(const Builds& hosts, const WindowsBuild& image) {
  return std::ranges::any_of(hosts,
                             [&](const WindowsBuild* host) { return can_run_on(image, *host); });
}

std::string is_for(const WindowsBuild& image) { return "is for " + std::string(image.product); }

}  // namespace

bool runs_on_every_build(const Pod& pod, JsonObject container, Version kubernetes) {
  return kubernetes >= kHostProcessVersion &&
         effective_security_context(pod, container).host_process.value_or(false);
}

void ImageBuilds::add(const Container& container, const Image& image) {
  const WindowsBuild* const build = find_build_of_image(image);
  if (build == nullptr) return;
  if (runs_on_every_build(pod_, container.object, platform_.kubernetes())) return;
  entries_.push_back(
      {.container = container, .build = build, .is_clearly_windows = is_clearly_windows(image)});
}

std::vector<ImageBuilds::Fault> ImageBuilds::find_faults() const {
  std::vector<Fault> faults;
  if (entries_.empty()) return faults;  // as in most pods
  const Hosts hosts = find_hosts();
  const WindowsBuild* const oldest = find_oldest(hosts);
  for (const Entry& each : entries_) {
    if (!counts(each, hosts)) continue;
    std::string reason = find_fault(*each.build, oldest, hosts);
    if (!reason.empty()) faults.push_back({each.container, std::move(reason)});
  }
  return faults;
}

bool ImageBuilds::counts(const Entry& entry, const Hosts& hosts) {
  return !hosts.builds.empty() && (hosts.are_named || entry.is_clearly_windows);
}

const WindowsBuild* ImageBuilds::find_oldest(const Hosts& hosts) const {
  const Entry* oldest = nullptr;
  // An ephemeral container comes last: its image is to suit the others.
  const auto rank = [](const Entry& entry) {
    return std::pair(entry.container.list == kEphemeralList, entry.build->number);
  };
  for (const Entry& each : entries_) {
    if (!counts(each, hosts) || !any_runs(hosts.builds, *each.build)) continue;
    if (oldest == nullptr || rank(each) < rank(*oldest)) oldest = &each;
  }
  return oldest == nullptr ? nullptr : oldest->build;
}

std::string ImageBuilds::find_fault(const WindowsBuild& build, const WindowsBuild* oldest,
                                    const Hosts& hosts) {
  if (!any_runs(hosts.builds, build)) {
    if (hosts.are_named) {
      return is_for(build) + ", but the pod is sent to nodes with " +
             std::string(hosts.builds.front()->product);
    }
    return is_for(build) + (any_runs(supported_builds(), build)
                                ? ", and no node of the platform runs it"
                                : ", and Kubernetes supports no node that runs it");
  }
  // A host runs all images if it runs each together with the oldest: before a stable kernel
  // interface all builds must be equal, and since then a newer host runs what an older one runs.
  const bool runs_both = std::ranges::any_of(hosts.builds, [&](const WindowsBuild* host) {
    return can_run_on(build, *host) && can_run_on(*oldest, *host);
  });
  if (runs_both) return {};
  return is_for(build) + ", and no node runs it together with an image for " +
         std::string(oldest->product);
}

ImageBuilds::Hosts ImageBuilds::find_hosts() const {
  Builds named = find_named_hosts();
  if (!named.empty()) return {.builds = std::move(named), .are_named = true};
  if (!target_.builds.empty()) return {};  // of another product than Windows Server
  // A RuntimeClass may choose other nodes (scheduling), or Hyper-V isolation, which runs older
  // images.
  if (!pod_.runtime_class.value_or("").empty()) return {};
  return {.builds = platform_.all_for(pod_.tolerations)};
}

/// The builds that the selectors of the pod name, else those whose taints it tolerates by name.
Builds ImageBuilds::find_named_hosts() const {
  if (target_.builds.empty()) return platform_.named_by(pod_.tolerations);
  Builds hosts;
  // The terms of an affinity may name the same build many times, and each container walks the
  // hosts.
  for (const std::string_view label : target_.builds) {
    const WindowsBuild* const build = find_build(label);
    if (build != nullptr && std::ranges::find(hosts, build) == hosts.end()) hosts.push_back(build);
  }
  return hosts;
}

}  // namespace winadmit
