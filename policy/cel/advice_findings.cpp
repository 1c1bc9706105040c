#include "policy/cel/advice_findings.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "policy/cel/placement_cel.hpp"
#include "policy/judge/advice.hpp"
#include "policy/judge/image_builds.hpp"
#include "policy/judge/placement.hpp"
#include "policy/judge/resize.hpp"
#include "policy/pod/builds.hpp"
#include "policy/pod/image.hpp"
#include "policy/pod/labels.hpp"

namespace winadmit {
namespace {

using nlohmann::ordered_json;

/// The image of the container c without its digest.
constexpr std::string_view kReference = "c.?image.orValue('').split('@')[0]";

std::string is_sidecar() {
  std::vector<std::string_view> names;
  std::set<std::string_view> repositories;
  for (const Sidecar& each : linux_only_sidecars()) {
    if (each.is_named_by_injector_only) names.push_back(each.name);
    repositories.insert(each.repository);
  }
  return fill("((c.name in $names ||\n    $image.matches($pattern)) && !$windows)",
              {{"$names", cel_list(names)},
               {"$image", std::string(kReference)},
               {"$pattern", cel_string("(^|/)" + pattern_of_any(repositories) + "(:[^/]*)?$")},
               {"$windows", names_windows_in_cel(kReference)}});
}

std::string is_linux_image() {
  const auto all = linux_only_repositories();
  return fill("($image.matches($pattern) && !$windows)",
              {{"$image", std::string(kReference)},
               {"$pattern", cel_string("^(docker[.]io/)?(index[.]docker[.]io/)?(library/)?" +
                                       pattern_of_any(all) + "(:[^/]*)?$")},
               {"$windows", names_windows_in_cel(kReference)}});
}

/// A regular expression for an image of a repository for Windows only.
std::string windows_only_pattern() {
  std::string any;
  for (const std::string_view repository : windows_only_repositories()) {
    if (!any.empty()) any += '|';
    any += pattern_of_any(std::array{repository});
    if (!repository.ends_with('/')) any += "(:[^/]*)?$";
  }
  return "^(" + any + ")";
}

std::string is_windows_image() {
  return fill("$image.matches($pattern)", {{"$image", std::string(kReference)},
                                           {"$pattern", cel_string(windows_only_pattern())}});
}

std::string is_clearly_windows() {
  return fill("$image.matches($pattern)",
              {{"$image", std::string(kReference)},
               {"$pattern",
                cel_string(windows_only_pattern() + '|' + pattern_of_any(windows_base_images()) +
                           "|:[^/]*" + pattern_of_any(windows_words()) + "[^/]*$")}});
}

std::string os_conflict(const Settings&) {
  return "variables.systems[$i] == 'conflict' ? ['spec'] : []";
}

std::string os_hint(const Settings& settings) {
  ordered_json taints = ordered_json::array();
  for (const Toleration* each : known_tolerations(settings)) taints.push_back(to_json(*each));
  const std::string tolerates =
      taints.empty() ? "false"
                     : fill("$taints.exists(taint,\n    $named)",
                            {{"$taints", taints.dump()},
                             {"$named", tolerates_by_name("$view.tolerations", "taint")}});
  return fill(
      "!(variables.systems[$i] in ['', 'linux']) || $view.linux ||\n"
      "  $view.spec.?runtimeClassName.orValue('') != '' ? [] :\n"
      "  $tolerates ? ['spec.tolerations'] :\n"
      "  $view.containers.filter(c, $windows)\n"
      "  .map(c, 'image of container ' + c.name)",
      {{"$tolerates", tolerates}, {"$windows", is_windows_image()}});
}

std::string unplaced(const Settings& settings) {
  // On a cluster with one of several taints, a pod that tolerates one of them may be right.
  std::string tolerations = "variables.missing[$i].tolerations.size() > 0";
  if (settings.tolerations_are_alternatives) {
    tolerations += fill(
        " &&\n    !(variables.missing[$i].tolerations.size() < $count &&\n"
        "    variables.missing[$i].tolerations.all(t, t in $defaults))",
        {{"$count", std::to_string(settings.tolerations.size())},
         {"$defaults", to_json(settings.tolerations).dump()}});
  }
  return fill(
      "variables.systems[$i] == 'windows' && $kinds &&\n"
      "  (variables.missing[$i].selector && !$view.excludesLinux &&\n"
      "    !variables.isOwnedByDaemonSet ||\n"
      "    $tolerations) ? ['spec'] : []",
      {{"$tolerations", tolerations},
       {"$kinds", settings.place_daemon_sets ? "request.kind.kind in ['Pod', 'DaemonSet']"
                                             : "request.kind.kind == 'Pod'"}});
}

std::string windows_options(const Settings&) {
  return "variables.systems[$i] != 'linux' ||\n"
         "  !variables.views[variables.keepsOs ? 1 : $i].hasWindowsOptions ? [] :\n"
         "  ($view.securityContext.?windowsOptions.orValue({}).size() > 0 ?\n"
         "    ['spec.securityContext.windowsOptions'] : []) +\n"
         "  $view.containers.filter(c,\n"
         "    c.?securityContext.?windowsOptions.orValue({}).size() > 0)\n"
         "  .map(c, 'securityContext.windowsOptions of container ' + c.name)";
}

template <class Builds>
std::vector<std::string_view> labels_of(const Builds& builds) {
  std::vector<std::string_view> labels;
  for (const WindowsBuild* each : builds) labels.push_back(each->label);
  return labels;
}

std::vector<const WindowsBuild*> known_builds(bool (*condition)(const WindowsBuild&)) {
  std::vector<const WindowsBuild*> builds;
  for (const WindowsBuild& each : windows_builds()) {
    if (condition(each)) builds.push_back(&each);
  }
  return builds;
}

/// The known Windows builds of the nodes that the pod names.
std::string named_hosts(const Settings& settings) {
  ordered_json taints = ordered_json::object();
  for (const auto& [build, set] : settings.tolerations_by_build) {
    if (find_build(build) != nullptr) taints[build] = to_json(set);
  }
  ordered_json naming = ordered_json::array();
  for (const BuildTaint& each : naming_taints(settings)) naming.push_back(to_json(*each.taint));
  std::string by_taints = "[]";
  if (!naming.empty() && !taints.empty()) {
    const std::string by_name = tolerates_by_name("view.tolerations", "taint");
    by_taints = fill(
        "!$naming.exists(taint,\n      $named) ? [] :\n"
        "    $taints.filter(build, $taints[build].exists(taint,\n      $named))",
        {{"$naming", naming.dump()}, {"$taints", taints.dump()}, {"$named", by_name}});
  }
  const auto known = known_builds([](const WindowsBuild&) { return true; });
  return fill(
      "variables.indexes.map(i, [variables.views[i]].map(view, view.builds.size() > 0 ?\n"
      "    $known.filter(build, view.builds.exists(list, build in list)) :\n"
      "    $taints)[0])",
      {{"$known", cel_list(labels_of(known))}, {"$taints", by_taints}});
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

/// The builds of the nodes that a pod may get that names no known one. Empty if it names another,
/// or a RuntimeClass.
std::string other_hosts(const Settings& settings) {
  const auto supported = labels_of(known_builds(is_supported_host));
  const auto of_platform = labels_of(platform_builds(settings));
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

/// As ImageBuilds: an image is compared with the first that a node can run.
std::string image_build(const Settings& settings) {
  return fill(
      "variables.systems[$i] != 'windows' ? [] :\n"
      "  [variables.namedHosts[$i].size() > 0 ? variables.namedHosts[$i] :\n"
      "    ($others)].map(hosts, hosts.size() == 0 ? [] :\n"
      "  [$view.containers.filter(c,\n"
      "    !(c.name in variables.sidecars[$i]) && !(c.name in variables.linuxImages[$i]) &&\n"
      "    !c.?securityContext.?windowsOptions.?hostProcess\n"
      "    .or($view.securityContext.?windowsOptions.?hostProcess).orValue(false) &&\n"
      "    (variables.namedHosts[$i].size() > 0 || $clear))\n"
      "  .map(c, {'place': dyn('image ' + c.?image.orValue('') + ' of container ' + c.name),\n"
      "    'named': dyn($named)})\n"
      "  .filter(image, image.named.size() > 0)\n"
      "  .map(image, {'place': dyn(image.place), 'hosts': dyn(hosts.filter(host,\n"
      "    host in $hosts[image.named[0][0]]))})]\n"
      "  .map(images, [images.filter(image, image.hosts.size() > 0)].map(runnable,\n"
      "    images.filter(image, image.hosts.size() == 0 ||\n"
      "      !runnable[0].hosts.exists(host, host in image.hosts))\n"
      "    .map(image, string(image.place)))[0])[0])[0]",
      {{"$others", other_hosts(settings)},
       {"$clear", is_clearly_windows()},
       {"$named", build_of_image("c")},
       {"$hosts", hosts_of_images()}});
}

std::string linux_sidecar(const Settings&) {
  return "variables.sidecars[$i].map(name, 'container ' + name)";
}

std::string linux_image(const Settings&) {
  return "$view.containers.filter(c, c.name in variables.linuxImages[$i])\n"
         "  .map(c, 'image ' + c.image + ' of container ' + c.name)";
}

/// Of each Windows pod, the names of the containers that meet a condition.
std::string names_of_containers(const std::string& condition) {
  return fill(
      "variables.indexes.map(i, variables.systems[i] != 'windows' ? [] :\n"
      "  variables.views[i].containers.filter(c, $condition)\n"
      "  .map(c, c.name))",
      {{"$condition", condition}});
}

std::string architecture(const Settings&) {
  return fill(
      "variables.systems[$i] == 'windows' &&\n"
      "  ($keys.exists(key,\n"
      "    $view.spec.?nodeSelector[?key].orValue('amd64') != 'amd64') ||\n"
      "  $view.terms.size() > 0 && $view.terms.all(term, term.otherArch)) ? ['spec'] : []",
      {{"$keys", cel_list(std::vector{kArchLabel, kBetaArchLabel})}});
}

std::string memory(const Settings&) {
  return "variables.systems[$i] != 'windows' ? [] :\n"
         "  $view.mainContainers.filter(c, !c.?resources.?limits[?'memory'].hasValue() ||\n"
         "    c.?resources.?requests[?'memory'].hasValue() &&\n"
         "    quantity(string(c.resources.requests['memory']))\n"
         "    .compareTo(quantity(string(c.resources.limits['memory']))) != 0)\n"
         "  .map(c, 'resources of container ' + c.name)";
}

/// The taints of builds that placement does not add.
std::vector<Toleration> taints_of_other_builds(const Settings& settings) {
  std::vector<Toleration> all;
  for (const Toleration* each : known_tolerations(settings)) {
    const bool is_added = settings.place_daemon_sets && is_default_toleration(*each, settings);
    const bool is_of_build =
        std::ranges::any_of(settings.tolerations_by_build, [&](const auto& of_build) {
          return std::ranges::find(of_build.second, *each) != of_build.second.end();
        });
    if (is_of_build && !is_added) all.push_back(*each);
  }
  return all;
}

std::string daemon_set_builds(const Settings& settings) {
  const std::vector<Toleration> missed = taints_of_other_builds(settings);
  ordered_json naming = ordered_json::array();
  for (const BuildTaint& each : naming_taints(settings)) naming.push_back(to_json(*each.taint));
  if (missed.empty()) return "[]";
  const std::string names_one =
      naming.empty() ? "false"
                     : fill("$taints.exists(taint,\n    $named)",
                            {{"$taints", naming.dump()},
                             {"$named", tolerates_by_name("$view.tolerations", "taint")}});
  return fill(
      "request.kind.kind == 'DaemonSet' && variables.systems[$i] == 'windows' &&\n"
      "  $view.builds.size() == 0 && $images.size() == 0 && !$names &&\n"
      "  $missed.exists(taint, !$tolerated) ? ['spec'] : []",
      {{"$images", build_of_images("$view")},
       {"$names", names_one},
       {"$missed", to_json(missed).dump()},
       {"$tolerated", tolerates("$view.tolerations", "taint")}});
}

std::string pod_resize(const Settings&) {
  return "request.?subResource.orValue('') != 'resize' || variables.os != 'windows' || $i == 1 ?"
         " [] :\n"
         "  $view.containers.filter(c, !variables.views[1].containers.exists(o, o.name == c.name "
         "&&\n"
         "    o.?resources.orValue({}) == c.?resources.orValue({})))\n"
         "  .map(c, 'resources of container ' + c.name)";
}

/// The places of a kind of advice, with $view for a view and $i for its index.
struct AdviceCel {
  std::string_view id;
  std::string (*places)(const Settings& settings);
};

constexpr auto kAdviceCel = std::to_array<AdviceCel>({
    {kOsConflict, os_conflict},
    {kAdviceHint, os_hint},
    {kAdviceUnplaced, unplaced},
    {kAdviceWindowsOptions, windows_options},
    {kAdviceImageBuild, image_build},
    {kAdviceLinuxSidecar, linux_sidecar},
    {kAdviceArch, architecture},
    {kAdviceLinuxImage, linux_image},
    {kAdviceMemory, memory},
    {kAdviceDaemonSetBuilds, daemon_set_builds},
    {kPodResize, pod_resize},
});

std::string for_view(const std::string& text, int index) {
  return fill(text, {{"$i", std::to_string(index)},
                     {"$view", "variables.views[" + std::to_string(index) + "]"}});
}

/// The places that were not there before, or that were: only of a pod with the same OS.
std::string judged_places(const std::string& text, Judged judged) {
  const std::string now = for_view(text, 0);
  if (judged == Judged::all) return now;
  return fill(
      "($now).filter(place, $not(oldObject != null &&\n"
      "  variables.systems[0] == variables.systems[1] && place in ($before)))",
      {{"$now", now},
       {"$not", judged == Judged::fresh ? "!" : ""},
       {"$before", for_view(text, 1)}});
}

}  // namespace

std::vector<CelFinding> advice_findings(const Settings& settings, Judged judged) {
  std::vector<CelFinding> findings;
  for (const AdviceCel& each : kAdviceCel) {
    const Action configured = action_of_advice(each.id, settings);
    if (configured == Action::allow) continue;
    const std::string places = each.places(settings);
    if (places == "[]") continue;
    const AdviceKind& kind = advice_kind(each.id);
    const Action action = configured == Action::deny ? Action::deny : Action::warn;
    findings.push_back({.id = each.id,
                        .action = action,
                        .places = judged_places(places, judged),
                        .text = fmt::format(": {}; {} ({})", kind.when, kind.instead, each.id),
                        .text_with_spec_os = {},
                        .pattern = "spec"});
  }
  return findings;
}

std::vector<CelVariable> advice_variables(const Settings& settings) {
  return {missing_placement(settings),
          {"namedHosts", named_hosts(settings)},
          {"sidecars", names_of_containers(is_sidecar())},
          {"linuxImages",
           names_of_containers(is_linux_image() + " && !(c.name in variables.sidecars[i])")},
          is_owned_by_daemon_set()};
}

std::vector<CelGap> advice_gaps() {
  std::vector<CelGap> gaps = {
      {kAdviceMemory, "amounts are not rounded up to whole bytes, so 300m is not 800m"}};
  for (const AdviceKind& kind : advice_kinds()) {
    if (std::ranges::find(kAdviceCel, kind.id, &AdviceCel::id) == kAdviceCel.end()) {
      gaps.push_back({kind.id, "it is about a Namespace: `winadmit check` gives it"});
    }
  }
  return gaps;
}

}  // namespace winadmit
