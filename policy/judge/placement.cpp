#include "policy/judge/placement.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "policy/json/json_writer.hpp"
#include "policy/judge/image_builds.hpp"
#include "policy/pod/builds.hpp"
#include "policy/pod/image.hpp"
#include "text/json_pointer.hpp"

namespace winadmit {
namespace {

template <class Write>
std::string to_json(Write write) {
  fmt::memory_buffer text;
  JsonWriter out(text);
  write(out);
  return fmt::to_string(text);
}

void write(JsonWriter& out, const Toleration& toleration) {
  out.begin_object();
  out.key("key").string(toleration.key).key("operator").string(toleration.op);
  if (!toleration.value.empty()) out.key("value").string(toleration.value);
  if (!toleration.effect.empty()) out.key("effect").string(toleration.effect);
  out.end_object();
}

using Tolerations = std::vector<const Toleration*>;

/// Adds what `to` does not have yet.
void add(Tolerations& to, const Toleration& toleration) {
  const bool is_known =
      std::ranges::any_of(to, [&](const Toleration* each) { return *each == toleration; });
  if (!is_known) to.push_back(&toleration);
}

void merge(Tolerations& to, const std::vector<Toleration>& from) {
  for (const Toleration& toleration : from) add(to, toleration);
}

/// The build that the images name, if all of those that name one name the same; else null. An
/// ephemeral container says nothing: it is added to a pod that has its place.
const WindowsBuild* find_build_of_images(const Pod& pod, Version kubernetes) {
  const WindowsBuild* build = nullptr;
  bool is_ambiguous = false;
  for_each_container(pod, [&](const Container& container) {
    if (container.list == kEphemeralList) return;
    const WindowsBuild* const named =
        find_build_of_image(parse_image(string_member(container.object, "image")));
    if (named == nullptr || named == build) return;
    if (runs_on_every_build(pod, container.object, kubernetes)) return;
    is_ambiguous |= build != nullptr;
    build = named;
  });
  return is_ambiguous ? nullptr : build;
}

/// The tolerations configured for the pod's Windows builds, else the default tolerations. The build
/// is that of its labels, else of the taints that it tolerates by name, else of its images. In no
/// order.
Tolerations find_tolerations_of_builds(const Pod& pod, const Target& target,
                                       const Settings& settings) {
  const auto& by_build = settings.tolerations_by_build;
  Tolerations wanted;
  for (const std::string_view build : target.builds) {
    const auto configured = by_build.find(build);
    merge(wanted, configured == by_build.end() ? settings.tolerations : configured->second);
  }
  if (!target.builds.empty()) return wanted;
  for (const auto& [build, configured] : by_build) {
    if (tolerates_build(pod.tolerations, configured, settings)) merge(wanted, configured);
  }
  if (!wanted.empty()) return wanted;
  if (!by_build.empty()) {
    const WindowsBuild* const of_images = find_build_of_images(pod, settings.kubernetes);
    const auto configured = of_images ? by_build.find(of_images->label) : by_build.end();
    if (configured != by_build.end()) {
      merge(wanted, configured->second);
      return wanted;
    }
  }
  merge(wanted, settings.tolerations);
  return wanted;
}

/// Into the order of known_tolerations(), where each of `wanted` is.
void sort_as_configured(Tolerations& wanted, const Settings& settings) {
  const Tolerations known = known_tolerations(settings);
  std::ranges::sort(wanted, {}, [&](const Toleration* each) {
    return std::ranges::find_if(known, [&](const Toleration* one) { return *one == *each; });
  });
}

/// The tolerations that a pod for Windows is to have, in the order of known_tolerations(). None for
/// another pod.
Tolerations find_wanted_tolerations(const Pod& pod, const Target& target,
                                    const Settings& settings) {
  if (target.os != Os::windows) return {};
  Tolerations wanted = find_tolerations_of_builds(pod, target, settings);
  if (wanted.size() > 1) sort_as_configured(wanted, settings);
  return wanted;
}

/// Whether labels, tolerations or images name a Windows build.
bool names_build(const Pod& pod, const Target& target, const Settings& settings) {
  return !target.builds.empty() || find_build_of_images(pod, settings.kubernetes) != nullptr ||
         tolerates_build_taint(pod.tolerations, settings);
}

/// Each set of the settings has tolerations of its own, which may be equal.
bool are_same(const Tolerations& a, const Tolerations& b) {
  return std::ranges::equal(
      a, b, [](const Toleration* one, const Toleration* other) { return *one == *other; });
}

Tolerations without_tolerated(Tolerations wanted, const PodTolerations& tolerations) {
  std::erase_if(wanted, [&](const Toleration* each) { return tolerations.tolerates(*each); });
  return wanted;
}

/// A pod for Linux is left alone, unless that is the default OS and nothing selects its nodes.
/// spec.os does not.
bool needs_placement(const Pod& pod, const Target& target) {
  if (!pod.spec) return false;
  if (target.os == Os::windows) return true;
  return target.os == Os::linux && target.default_os == Os::linux && !target.selects_linux();
}

bool has_os_selector(const Pod& pod, const Settings& settings) {
  if (!pod.node_selector) return false;
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{kOsLabel, kBetaOsLabel, settings.os_label()},
      [&](std::string_view key) { return !pod.node_selector->at_key(key).error(); });
}

PatchOperation add_selector(const Pod& pod, const Target& target, const Settings& settings) {
  std::string path = pod.spec_path().json_pointer() + "/nodeSelector";
  const std::string_view os = to_string(target.os);
  if (pod.node_selector) {
    return {"add", path + '/' + escape_pointer_token(settings.os_label()),
            to_json([&](JsonWriter& out) { out.string(os); })};
  }
  return {"add", std::move(path), to_json([&](JsonWriter& out) {
            out.begin_object().key(settings.os_label()).string(os).end_object();
          })};
}

void add_tolerations(Patch& patch, const Pod& pod, const Tolerations& missing) {
  const std::string path = pod.spec_path().json_pointer() + "/tolerations";
  if (pod.has_tolerations) {
    for (const Toleration* each : missing) {
      patch.push_back({"add", path + "/-", to_json([&](JsonWriter& out) { write(out, *each); })});
    }
    return;
  }
  patch.push_back({"add", path, to_json([&](JsonWriter& out) {
                     out.begin_array();
                     for (const Toleration* each : missing) write(out, *each);
                     out.end_array();
                   })});
}

}  // namespace

bool is_default_toleration(const Toleration& taint, const Settings& settings) {
  return std::ranges::any_of(settings.tolerations,
                             [&](const Toleration& each) { return names_taint(each, taint); });
}

std::vector<const Toleration*> known_tolerations(const Settings& settings) {
  Tolerations all;
  merge(all, settings.tolerations);
  for (const auto& [build, set] : settings.tolerations_by_build) merge(all, set);
  return all;
}

std::vector<const Toleration*> build_taints(const Settings& settings) {
  std::vector<const Toleration*> taints;
  for (const auto& [build, set] : settings.tolerations_by_build) {
    for (const Toleration& taint : set) {
      if (!is_default_toleration(taint, settings)) taints.push_back(&taint);
    }
  }
  return taints;
}

bool tolerates_build_taint(const PodTolerations& tolerations, const Settings& settings) {
  return std::ranges::any_of(build_taints(settings), [&](const Toleration* taint) {
    return tolerations.tolerates_by_name(*taint);
  });
}

bool identifies_build(const Toleration& taint, const std::vector<Toleration>& set,
                      const Settings& settings) {
  const auto differs = [&](const std::vector<Toleration>& other) {
    return other != set && std::ranges::any_of(other, [&](const Toleration& each) {
             return names_taint(each, taint);
           });
  };
  return !differs(settings.tolerations) &&
         std::ranges::none_of(settings.tolerations_by_build,
                              [&](const auto& each) { return differs(each.second); });
}

bool tolerates_build(const PodTolerations& tolerations, const std::vector<Toleration>& set,
                     const Settings& settings) {
  return std::ranges::any_of(set, [&](const Toleration& taint) {
    return tolerations.tolerates_by_name(taint) && identifies_build(taint, set, settings);
  });
}

bool may_get_selector(const Pod& pod, const Target& target) {
  const bool is_by_default = target.windows_signals.empty() && target.linux_signals.empty();
  return !pod.is_owned_by_daemon_set && !(is_by_default && names_node(pod));
}

MissingPlacement find_missing_placement(const Pod& pod, const Target& target,
                                        const Settings& settings) {
  MissingPlacement missing;
  if (!needs_placement(pod, target)) return missing;
  missing.selector = may_get_selector(pod, target) && !has_os_selector(pod, settings);
  missing.tolerations =
      without_tolerated(find_wanted_tolerations(pod, target, settings), pod.tolerations);
  return missing;
}

MissingPlacement find_missing_placement_of_update(const Pod& pod, const Target& target,
                                                  const Pod& old, const Target& old_target,
                                                  const Settings& settings) {
  MissingPlacement missing;
  if (!needs_placement(pod, target)) return missing;
  missing.selector = !has_os_selector(pod, settings) && old.node_selector &&
                     string_member(*old.node_selector, settings.os_label()) == to_string(target.os);
  if (target.os != Os::windows) return missing;
  Tolerations lost = known_tolerations(settings);
  std::erase_if(lost, [&](const Toleration* each) {
    return !old.tolerations.contains(*each) || pod.tolerations.contains(*each);
  });
  std::optional<Pod> restored;  // what is lost can name the build
  if (!lost.empty()) restored = pod;
  for (const Toleration* each : lost) restored->tolerations.add(*each);
  const Pod& placed = restored ? *restored : pod;
  Tolerations wanted = find_wanted_tolerations(placed, target, settings);
  if (!are_same(wanted, find_wanted_tolerations(old, old_target, settings))) {
    missing.tolerations = without_tolerated(std::move(wanted), placed.tolerations);
  }
  std::ranges::copy(lost, std::back_inserter(missing.tolerations));
  return missing;
}

std::vector<const Toleration*> find_missed_taints(const Pod& pod, const Target& target,
                                                  const Settings& settings) {
  Tolerations missed;
  if (target.os != Os::windows || settings.tolerations_by_build.empty()) return missed;
  if (names_build(pod, target, settings)) return missed;
  for (const auto& [build, configured] : settings.tolerations_by_build) merge(missed, configured);
  const auto is_tolerated = [&](const Toleration* taint) {
    const bool is_added = settings.place_daemon_sets && is_default_toleration(*taint, settings);
    return is_added || is_only_avoided(*taint) || pod.tolerations.tolerates(*taint);
  };
  std::erase_if(missed, is_tolerated);
  return missed;
}

Patch make_placement_patch(const Pod& pod, const Target& target, const Settings& settings,
                           const MissingPlacement& missing) {
  Patch patch;
  if (missing.selector) patch.push_back(add_selector(pod, target, settings));
  if (!missing.tolerations.empty()) add_tolerations(patch, pod, missing.tolerations);
  return patch;
}

Patch make_placement_patch(const Pod& pod, const Target& target, const Settings& settings) {
  return make_placement_patch(pod, target, settings, find_missing_placement(pod, target, settings));
}

}  // namespace winadmit
