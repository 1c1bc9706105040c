#include "policy/judge/platform_builds.hpp"

#include <algorithm>

#include "policy/judge/placement.hpp"

namespace winadmit {
namespace {

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
    return !is_supported_host(build) || build.year.empty() || by_build.contains(build.label);
  };
  return std::ranges::all_of(windows_builds(), is_configured) && !settings.tolerations.empty() &&
         std::ranges::all_of(settings.tolerations, is_of_build);
}

/// The known builds among those with configured tolerations that `is_wanted` accepts.
template <class Predicate>
Builds configured_builds(const Settings& settings, Predicate is_wanted) {
  Builds builds;
  for (const auto& [label, taints] : settings.tolerations_by_build) {
    const WindowsBuild* const build = find_build(label);
    if (build != nullptr && is_wanted(taints)) builds.push_back(build);
  }
  return builds;
}

}  // namespace

const Builds& supported_builds() {
  static const Builds kBuilds = [] {
    Builds builds;
    for (const WindowsBuild& each : windows_builds()) {
      if (is_supported_host(each)) builds.push_back(&each);
    }
    return builds;
  }();
  return kBuilds;
}

PlatformBuilds::PlatformBuilds(const Settings& settings)
    : settings_(settings),
      known_(known_tolerations(settings)),
      taints_identify_builds_(have_taints_by_build(settings)),
      all_(taints_identify_builds_ ? configured_builds(settings, [](const auto&) { return true; })
                                   : supported_builds()) {}

const Builds& PlatformBuilds::all_for(const PodTolerations& tolerations) const {
  return taints_identify_builds_ && tolerations.tolerates_others(known_) ? supported_builds()
                                                                         : all_;
}

Builds PlatformBuilds::named_by(const PodTolerations& tolerations) const {
  if (!tolerates_build_taint(tolerations, settings_)) return {};
  return configured_builds(settings_, [&](const std::vector<Toleration>& taints) {
    return tolerates_build(tolerations, taints, settings_);
  });
}

}  // namespace winadmit
