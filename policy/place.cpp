#include "policy/place.hpp"

#include <algorithm>

namespace winadmit {
namespace {

using nlohmann::ordered_json;

ordered_json to_json(const Toleration& toleration) {
  ordered_json json = {{"key", toleration.key}, {"operator", toleration.op}};
  if (!toleration.value.empty()) json["value"] = toleration.value;
  if (!toleration.effect.empty()) json["effect"] = toleration.effect;
  return json;
}

using Tolerations = std::vector<const Toleration*>;

void append(Tolerations& to, const std::vector<Toleration>& from) {
  for (const Toleration& toleration : from) {
    const bool known =
        std::ranges::any_of(to, [&](const Toleration* each) { return *each == toleration; });
    if (!known) to.push_back(&toleration);
  }
}

/// A pod's build decides, else the default.
Tolerations wanted_tolerations(const PodTolerations& has, const Target& target,
                               const Settings& settings) {
  const auto& by_build = settings.tolerations_by_build;
  Tolerations wanted;
  for (const std::string_view build : target.builds) {
    const auto configured = by_build.find(build);
    append(wanted, configured == by_build.end() ? settings.tolerations : configured->second);
  }
  if (!wanted.empty()) return wanted;
  // Without a selector: a pod that names another build's taint means that build.
  for (const auto& [build, tolerations] : by_build) {
    if (tolerations != settings.tolerations && has.name_any(tolerations)) {
      append(wanted, tolerations);
    }
  }
  if (wanted.empty()) append(wanted, settings.tolerations);
  return wanted;
}

bool has_os_selector(const Pod& pod, const Settings& settings) {
  if (!pod.node_selector) return false;
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{kOsLabel, kBetaOsLabel, settings.os_label()},
      [&](std::string_view key) { return !pod.node_selector->at_key(key).error(); });
}

void add_selector(Patch& patch, const Pod& pod, const Target& target, const Settings& settings) {
  if (has_os_selector(pod, settings)) return;
  const std::string path = pod.spec_path().pointer() + "/nodeSelector";
  const std::string key(settings.os_label());
  const std::string os(to_string(target.os));
  if (pod.node_selector) {
    patch.push_back({"add", path + '/' + escape_pointer_token(key), os});
  } else {
    patch.push_back({"add", path, ordered_json{{key, os}}});
  }
}

void add_tolerations(Patch& patch, const Pod& pod, const Target& target, const Settings& settings) {
  const Tolerations missing =
      missing_tolerations(PodTolerations(pod.tolerations), target, settings);
  if (missing.empty()) return;
  const std::string path = pod.spec_path().pointer() + "/tolerations";
  if (pod.tolerations) {
    for (const Toleration* each : missing) patch.push_back({"add", path + "/-", to_json(*each)});
    return;
  }
  ordered_json list = ordered_json::array();
  for (const Toleration* each : missing) list.push_back(to_json(*each));
  patch.push_back({"add", path, std::move(list)});
}

}  // namespace

Tolerations missing_tolerations(const PodTolerations& has, const Target& target,
                                const Settings& settings) {
  Tolerations missing = wanted_tolerations(has, target, settings);
  std::erase_if(missing, [&](const Toleration* each) { return has.tolerate(*each); });
  return missing;
}

Patch place(const Pod& pod, const Target& target, const Settings& settings, PlaceWhat what) {
  Patch patch;
  if (!pod.has_spec) return patch;
  if (target.os == Os::windows) {
    if (what == PlaceWhat::everything) add_selector(patch, pod, target, settings);
    add_tolerations(patch, pod, target, settings);
  } else if (target.os == Os::linux && target.linux.empty()) {  // Linux by the path's default alone
    if (what == PlaceWhat::everything) add_selector(patch, pod, target, settings);
  }
  return patch;
}

Patch strip(const std::vector<Finding>& findings) {
  Patch patch;
  for (const Finding& finding : findings) {
    // The API server refuses capabilities as a whole: an empty rest would not do.
    static constexpr std::string_view kWhole = "/capabilities";
    const std::string pointer = finding.path.pointer();
    const std::size_t whole = pointer.find(std::string(kWhole) + '/');
    const std::string path =
        pointer.substr(0, whole == std::string::npos ? whole : whole + kWhole.size());
    const bool removed =
        std::ranges::any_of(patch, [&](const PatchOperation& each) { return each.path == path; });
    if (!removed) patch.push_back({"remove", path, {}});
  }
  return patch;
}

}  // namespace winadmit
