#include "policy/cel/image_builds_cel.hpp"

#include <vector>

#include "policy/cel/image_cel.hpp"
#include "policy/cel/toleration_cel.hpp"
#include "policy/judge/placement.hpp"
#include "policy/judge/platform_builds.hpp"
#include "policy/pod/builds.hpp"
#include "policy/pod/image.hpp"

namespace winadmit {
namespace {

using nlohmann::ordered_json;

std::string is_clearly_windows() {
  return fill("$image.matches($pattern)",
              {{"$image", std::string(kImageReference)},
               {"$pattern",
                cel_string(windows_only_pattern() + '|' + pattern_of_any(windows_base_images()) +
                           "|:[^/]*" + pattern_of_any(windows_words()) + "[^/]*$")}});
}

std::vector<std::string_view> labels_of(const Builds& builds) {
  std::vector<std::string_view> labels;
  labels.reserve(builds.size());
  for (const WindowsBuild* each : builds) labels.push_back(each->label);
  return labels;
}

Builds known_builds() {
  Builds builds;
  for (const WindowsBuild& each : windows_builds()) builds.push_back(&each);
  return builds;
}

/// Whether a toleration is for a taint that has a known key and is not known.
std::string tolerates_others(const Settings& settings) {
  ordered_json values = ordered_json::object();
  for (const Toleration* each : known_tolerations(settings)) {
    values[each->key].push_back(each->value);
  }
  if (values.empty()) return "false";
  return fill(
      "$view.tolerations.exists(e, e.?key.orValue('') == '' ||\n    e.key in $values &&\n"
      "    (e.?operator.orValue('') == 'Exists' || !(e.?value.orValue('') in $values[e.key])))",
      {{"$values", values.dump()}});
}

/// The builds of the nodes for a pod that names no build that is known. Empty if it names another
/// build, or a RuntimeClass.
std::string other_hosts(const Settings& settings) {
  const auto supported = labels_of(supported_builds());
  const auto of_platform = labels_of(PlatformBuilds(settings).all());
  std::string hosts = cel_list(of_platform);
  if (of_platform != supported) {
    hosts = fill("$others ? $supported : $platform", {{"$others", tolerates_others(settings)},
                                                      {"$supported", cel_list(supported)},
                                                      {"$platform", hosts}});
  }
  return "$view.builds.size() > 0 || $view.spec.?runtimeClassName.orValue('') != '' ? [] :\n    " +
         hosts;
}

/// Of each build of an image, the builds of hosts that run it.
std::string hosts_of_images() {
  ordered_json all = ordered_json::object();
  for (const WindowsBuild& image : windows_builds()) {
    ordered_json& hosts = all[std::string(image.label)] = ordered_json::array();
    for (const WindowsBuild& host : windows_builds()) {
      if (can_run_on(image, host)) hosts.push_back(host.label);
    }
  }
  return all.dump();
}

}  // namespace

CelVariable named_hosts(const Settings& settings) {
  ordered_json taints = own_taints(settings);
  for (const auto& [build, set] : settings.tolerations_by_build) {
    if (find_build(build) == nullptr) taints.erase(build);
  }
  const ordered_json naming = to_json(build_taints(settings));
  std::string by_taints = "[]";
  if (!naming.empty() && !taints.empty()) {
    const std::string by_name = tolerates_by_name("view.tolerations", "taint");
    by_taints = fill(
        "!$naming.exists(taint,\n      $named) ? [] :\n"
        "    $taints.filter(build, $taints[build].exists(taint,\n      $named))",
        {{"$naming", naming.dump()}, {"$taints", taints.dump()}, {"$named", by_name}});
  }
  const Builds known = known_builds();
  return {"namedHosts",
          fill("variables.indexes.map(i, [variables.views[i]].map(view, view.builds.size() > 0 ?\n"
               "    $known.filter(build, view.builds.exists(list, build in list)) :\n"
               "    $taints)[0])",
               {{"$known", cel_list(labels_of(known))}, {"$taints", by_taints}})};
}

std::string find_image_builds(const Settings& settings) {
  return fill(
      "variables.podOs[$i] != 'windows' ? [] :\n"
      "  [variables.namedHosts[$i].size() > 0 ? variables.namedHosts[$i] :\n"
      "    ($others)].map(hosts, hosts.size() == 0 ? [] :\n"
      "  [$view.containers.filter(c,\n"
      "    !(c.name in variables.sidecars[$i]) && !(c.name in variables.linuxImages[$i]) &&\n"
      "    !c.?securityContext.?windowsOptions.?hostProcess\n"
      "    .or($view.securityContext.?windowsOptions.?hostProcess).orValue(false) &&\n"
      "    (variables.namedHosts[$i].size() > 0 || $clear))\n"
      "  .map(c, {'place': dyn('image ' + c.?image.orValue('') + ' of container ' + c.name),\n"
      "    'named': dyn($named),\n"
      "    'isEphemeral': dyn(c.name in $view.ephemeralContainers.map(e, e.name))})\n"
      "  .filter(image, image.named.size() > 0)\n"
      "  .map(image, {'place': dyn(image.place), 'isEphemeral': dyn(image.isEphemeral),\n"
      "    'build': dyn(image.named[0][0]), 'hosts': dyn(hosts.filter(host,\n"
      "    host in $hosts[image.named[0][0]]))})]\n"
      "  .map(images, [images.filter(image, image.hosts.size() > 0)].map(runnable,\n"
      "    [runnable.exists(image, !image.isEphemeral) ?\n"
      "    runnable.filter(image, !image.isEphemeral) : runnable].map(lasting,\n"
      "    [$builds.filter(build, lasting.exists(image, image.build == build))\n"
      "    .map(build, $hosts[build])].map(hostsFromOldest,\n"
      "    images.filter(image, image.hosts.size() == 0 ||\n"
      "      !image.hosts.exists(host, host in hostsFromOldest[0]))\n"
      "    .map(image, string(image.place)))[0])[0])[0])[0])[0]",
      {{"$others", other_hosts(settings)},
       {"$clear", is_clearly_windows()},
       {"$named", build_of_image("c")},
       {"$builds", cel_list(labels_of(known_builds()))},
       {"$hosts", hosts_of_images()}});
}

}  // namespace winadmit
