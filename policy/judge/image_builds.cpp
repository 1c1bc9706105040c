#include "policy/judge/image_builds.hpp"

#include <algorithm>

#include "policy/judge/placement.hpp"

namespace winadmit {
namespace {

using Builds = std::vector<const WindowsBuild*>;

void add(Builds& builds, std::string_view label) {
  const WindowsBuild* build = find_build(label);
  if (build != nullptr && std::ranges::find(builds, build) == builds.end()) {
    builds.push_back(build);
  }
}

bool any_runs(const Builds& hosts, const WindowsBuild& image) {
  return std::ranges::any_of(hosts,
                             [&](const WindowsBuild* host) { return can_run_on(image, *host); });
}

Builds supported_builds() {
  Builds builds;
  for (const WindowsBuild& each : windows_builds()) {
    if (is_supported_host(each)) builds.push_back(&each);
  }
  return builds;
}

/// Whether the taints tell the build of a node. Not if a build with long-term support has no taints
/// of its own: its nodes may have the default ones.
bool have_taints_by_build(const Settings& settings) {
  const TolerationsByBuild& by_build = settings.tolerations_by_build;
  const auto is_of_build = [&](const Toleration& taint) {
    return std::ranges::any_of(by_build, [&](const auto& each) {
      return std::ranges::find(each.second, taint) != each.second.end();
    });
  };
  const auto is_configured = [&](const WindowsBuild& build) {
    return !is_supported_host(build) || !has_long_term_support(build) ||
           by_build.contains(build.label);
  };
  return std::ranges::all_of(windows_builds(), is_configured) && !settings.tolerations.empty() &&
         std::ranges::all_of(settings.tolerations, is_of_build);
}

}  // namespace

std::vector<const WindowsBuild*> platform_builds(const Settings& settings) {
  if (!have_taints_by_build(settings)) return supported_builds();
  Builds builds;
  for (const auto& [build, taints] : settings.tolerations_by_build) add(builds, build);
  return builds;
}

std::string ImageBuilds::find_fault(const Image& image) {
  const WindowsBuild* const build = find_build_of_image(image);
  if (build == nullptr) return {};
  if (!hosts_) hosts_ = find_hosts();
  if (!hosts_->are_named && !is_clearly_windows(image)) return {};
  const Builds& hosts = hosts_->builds;
  if (hosts.empty()) return {};
  const std::string is_for = "is for " + std::string(build->product);
  if (!any_runs(hosts, *build)) {
    if (hosts_->are_named) {
      return is_for + ", but the pod is sent to nodes with " + std::string(hosts.front()->product);
    }
    return is_for + (any_runs(supported_builds(), *build)
                         ? ", and no node of the platform runs it"
                         : ", and Kubernetes supports no node that runs it");
  }
  if (beside_ == nullptr) {
    beside_ = build;
    return {};
  }
  // A host runs all images if it runs each beside the first: before a stable kernel interface all
  // builds must be equal, and since then a newer host runs what an older one runs.
  const bool runs_both = std::ranges::any_of(hosts, [&](const WindowsBuild* host) {
    return can_run_on(*build, *host) && can_run_on(*beside_, *host);
  });
  if (runs_both) return {};
  return is_for + ", and no node runs it beside an image for " + std::string(beside_->product);
}

ImageBuilds::Hosts ImageBuilds::find_hosts() const {
  Builds named = find_named_hosts();
  if (!named.empty()) return {.builds = std::move(named), .are_named = true};
  if (!target_.builds.empty()) return {};  // of another product than Windows Server
  // A RuntimeClass may choose other nodes (scheduling), or Hyper-V isolation, which runs older
  // images.
  if (!pod_.runtime_class.value_or("").empty()) return {};
  // Such a pod may run on nodes with taints that are not configured.
  const bool tolerates_others = pod_.tolerations.tolerates_others(known_tolerations(settings_));
  return {.builds = tolerates_others ? supported_builds() : platform_builds(settings_)};
}

/// The builds that the selectors of the pod name, else those whose taints it tolerates by name.
/// Empty if nothing names a build: a toleration that placement adds to a pod without a build does
/// not, since a pod made from a template has it and the template does not.
std::vector<const WindowsBuild*> ImageBuilds::find_named_hosts() const {
  Builds hosts;
  for (const std::string_view build : target_.builds) add(hosts, build);
  const bool is_named_by_taint = std::ranges::any_of(
      naming_taints(settings_),
      [&](const BuildTaint& each) { return pod_.tolerations.tolerates_explicitly(*each.taint); });
  if (!target_.builds.empty() || !is_named_by_taint) return hosts;
  for (const auto& [build, taints] : settings_.tolerations_by_build) {
    if (pod_.tolerations.tolerates_any_explicitly(taints)) add(hosts, build);
  }
  return hosts;
}

}  // namespace winadmit
