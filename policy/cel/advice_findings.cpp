#include "policy/cel/advice_findings.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "policy/cel/image_builds_cel.hpp"
#include "policy/cel/image_cel.hpp"
#include "policy/cel/placement_cel.hpp"
#include "policy/cel/toleration_cel.hpp"
#include "policy/judge/advice_kinds.hpp"
#include "policy/judge/placement.hpp"
#include "policy/judge/resize.hpp"
#include "policy/pod/image.hpp"
#include "policy/pod/labels.hpp"

namespace winadmit {
namespace {

using nlohmann::ordered_json;

std::string is_sidecar() {
  std::vector<std::string_view> names;
  std::set<std::string_view> repositories;
  for (const Sidecar& each : linux_only_sidecars()) {
    if (each.is_named_by_injector_only) names.push_back(each.name);
    repositories.insert(each.repository);
  }
  return fill("((c.name in $names ||\n    $image.matches($pattern)) && !$windows)",
              {{"$names", cel_list(names)},
               {"$image", std::string(kImageReference)},
               {"$pattern", cel_string("(^|/)" + pattern_of_any(repositories) + "(:[^/]*)?$")},
               {"$windows", names_windows_in_cel(kImageReference)}});
}

std::string is_linux_image() {
  const std::string words = pattern_of_any(linux_tag_words()) + "[0-9]*";
  // Behind a version, or at the start of the tag before a number or nothing.
  const std::string tag = "^(.*/)?[^/:]*:(v?[0-9][^/]*[-_.]" + words + "([-_.][^/]*)?|" + words +
                          "([-_.]([0-9][^/]*)?)?)$";
  return fill(
      "($image.matches($pattern) && !$image.matches(':([^/]*[-_.])?win[^/]*$') && !$windows)",
      {{"$image", std::string(kImageReference)},
       {"$pattern", cel_string("^(docker[.]io/)?(index[.]docker[.]io/)?(library/)?" +
                               pattern_of_any(linux_only_repositories()) + "(:[^/]*)?$|" + tag)},
       {"$windows", names_windows_in_cel(kImageReference)}});
}

std::string is_windows_image() {
  return fill("$image.matches($pattern)", {{"$image", std::string(kImageReference)},
                                           {"$pattern", cel_string(windows_only_pattern())}});
}

std::string os_conflict(const Settings&) {
  return "variables.podOs[$i] == 'conflict' ? ['spec'] : []";
}

/// Whether the pod of $view tolerates one of the taints by name.
std::string tolerates_any_by_name(const std::vector<const Toleration*>& taints) {
  if (taints.empty()) return "false";
  return fill("$taints.exists(taint,\n    $named)",
              {{"$taints", to_json(taints).dump()},
               {"$named", tolerates_by_name("$view.tolerations", "taint")}});
}

std::string os_hint(const Settings& settings) {
  const std::string tolerates = tolerates_any_by_name(known_tolerations(settings));
  return fill(
      "!(variables.podOs[$i] in ['', 'linux']) || $view.linux ||\n"
      "  $view.spec.?runtimeClassName.orValue('') != '' ||\n"
      "  $view.namesNode ? [] :\n"
      "  $tolerates ? ['spec.tolerations'] :\n"
      "  $view.containers.filter(c, $windows)\n"
      "  .map(c, 'image of container ' + c.name)",
      {{"$tolerates", tolerates}, {"$windows", is_windows_image()}});
}

/// Whether placement may add a toleration with the effect.
bool has_effect(std::string_view effect, const Settings& settings) {
  return std::ranges::any_of(known_tolerations(settings),
                             [&](const Toleration* each) { return each->effect == effect; });
}

std::string unplaced(const Settings& settings) {
  // On a cluster with one of several taints, a pod that tolerates one of them may be right.
  std::string tolerations = "variables.missing[$i].tolerations";
  if (has_effect(kPreferNoSchedule, settings))
    tolerations += fill(".filter(t, t.?effect.orValue('') != $effect)",
                        {{"$effect", cel_string(kPreferNoSchedule)}});
  tolerations += ".size() > 0";
  if (settings.tolerations_are_alternatives) {
    tolerations += fill(
        " &&\n    !(variables.missing[$i].tolerations.size() < $count &&\n"
        "    variables.missing[$i].tolerations.all(t, t in $defaults))",
        {{"$count", std::to_string(settings.tolerations.size())},
         {"$defaults", to_json(settings.tolerations).dump()}});
  }
  // As Advisor: from the node that a pod names, only NoExecute keeps the pod.
  const std::string no_execute =
      has_effect(kNoExecute, settings)
          ? fill("variables.missing[$i].tolerations.exists(t, t.?effect.orValue('') == $effect)",
                 {{"$effect", cel_string(kNoExecute)}})
          : "false";
  return fill(
      "variables.podOs[$i] == 'windows' && $kinds &&\n"
      "  ($view.spec.?nodeName.orValue('') != '' ? $noExecute :\n"
      "    variables.missing[$i].selector && !$view.excludesLinux && !$view.namesNode ||\n"
      "    $tolerations) ? ['spec'] : []",
      {{"$tolerations", tolerations},
       {"$noExecute", no_execute},
       {"$kinds", settings.place_daemon_sets ? "request.kind.kind in ['Pod', 'DaemonSet']"
                                             : "request.kind.kind == 'Pod'"}});
}

std::string windows_options(const Settings&) {
  return "variables.podOs[$i] != 'linux' ||\n"
         "  !variables.views[variables.keepsOs ? 1 : $i].hasWindowsOptions ? [] :\n"
         "  ($view.securityContext.?windowsOptions.orValue({}).size() > 0 ?\n"
         "    ['spec.securityContext.windowsOptions'] : []) +\n"
         "  $view.containers.filter(c,\n"
         "    c.?securityContext.?windowsOptions.orValue({}).size() > 0)\n"
         "  .map(c, 'securityContext.windowsOptions of container ' + c.name)";
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
      "variables.indexes.map(i, variables.podOs[i] != 'windows' ? [] :\n"
      "  variables.views[i].containers.filter(c, $condition)\n"
      "  .map(c, c.name))",
      {{"$condition", condition}});
}

std::string os_label(const Settings&) {
  return fill(
      "[variables.templates[$i].?metadata.?labels[?$key]].filter(label, label.hasValue() &&\n"
      "  (variables.podOs[$i] == 'windows' ? label.value() != 'windows' :\n"
      "    variables.podOs[$i] != 'conflict' && label.value() == 'windows' &&\n"
      "    ($view.linux || !$view.namesNode && $view.spec.?runtimeClassName.orValue('') == '')))\n"
      "  .map(label, 'metadata.labels[' + $key + ']')",
      {{"$key", cel_string(kOsLabel)}});
}

std::string architecture(const Settings&) {
  return fill(
      "variables.podOs[$i] == 'windows' &&\n"
      "  ($keys.exists(key,\n"
      "    $view.spec.?nodeSelector[?key].orValue('amd64') != 'amd64') ||\n"
      "  $view.terms.size() > 0 &&\n"
      "    $view.terms.all(term, !term.windows || term.otherArch)) ? ['spec'] : []",
      {{"$keys", cel_list(std::vector{kArchLabel, kBetaArchLabel})}});
}

std::string memory(const Settings&) {
  return "variables.podOs[$i] != 'windows' ? [] :\n"
         "  $view.nonEphemeralContainers.filter(c, !c.?resources.?limits[?'memory'].hasValue() ||\n"
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
    if (is_of_build && !is_added && !is_only_avoided(*each)) all.push_back(*each);
  }
  return all;
}

std::string daemon_set_builds(const Settings& settings) {
  const std::vector<Toleration> missed = taints_of_other_builds(settings);
  if (missed.empty()) return "[]";
  return fill(
      "request.kind.kind == 'DaemonSet' && variables.podOs[$i] == 'windows' &&\n"
      "  $view.builds.size() == 0 && $images.size() == 0 && !$names &&\n"
      "  $missed.exists(taint, !$tolerated) ? ['spec'] : []",
      {{"$images", build_of_images("$view")},
       {"$names", tolerates_any_by_name(build_taints(settings))},
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
    {kAdviceImageBuild, find_image_builds},
    {kAdviceLinuxSidecar, linux_sidecar},
    {kAdviceOsLabel, os_label},
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
      "  variables.podOs[0] == variables.podOs[1] && place in ($before)))",
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
                        .text_in_ephemeral = {},
                        .pattern = "spec"});
  }
  return findings;
}

std::vector<CelVariable> advice_variables(const Settings& settings) {
  return {is_owned_by_daemon_set(),
          wanted_tolerations(settings),
          missing_placement(settings),
          named_hosts(settings),
          {"sidecars", names_of_containers(is_sidecar())},
          {"linuxImages",
           names_of_containers(is_linux_image() + " && !(c.name in variables.sidecars[i])")}};
}

std::vector<CelGap> advice_gaps() {
  return {{kAdviceMemory, "amounts are not rounded up to whole bytes, so 300m is not 800m"},
          {kAdviceNamespaceLabel, "it is about a Namespace: `winadmit check` gives it"}};
}

}  // namespace winadmit
