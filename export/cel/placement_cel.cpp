#include "export/cel/placement_cel.hpp"

#include <algorithm>

#include "export/cel/image_cel.hpp"
#include "export/cel/toleration_cel.hpp"
#include "policy/judge/placement.hpp"
#include "policy/pod/labels.hpp"
#include "text/json_pointer.hpp"

namespace winadmit {
namespace {

using nlohmann::ordered_json;

/// By build, of which "" is the default: the tolerations that placement adds.
ordered_json tolerations_by_build(const Settings& settings) {
  ordered_json all = {{"", to_json(settings.tolerations)}};
  for (const auto& [build, set] : settings.tolerations_by_build) all[build] = to_json(set);
  return all;
}

/// The builds that the pod names, of which "" is the default: those of its labels, else of its
/// tolerations, else of its images.
std::string wanted_builds() {
  return fill(
      "variables.tolerationsByBuild.size() == 1 ? [''] : [\n"
      "      variables.tolerationsByBuild.filter(build,\n"
      "      view.builds.exists(list, build in list)) +\n"
      "      (view.builds.exists(list, list.exists(build,\n"
      "      !(build in variables.tolerationsByBuild))) ? [''] : []),\n"
      "      variables.buildTaints.filter(build,\n"
      "      variables.buildTaints[build].exists(taint,\n      $named)),\n"
      "      $images.filter(build, build in variables.tolerationsByBuild), ['']]\n"
      "      .filter(builds, builds.size() > 0)[0]",
      {{"$named", tolerates_by_name("view.tolerations", "taint")},
       {"$images", build_of_images("view")}});
}

/// The labels of which one selects nodes by their OS.
std::vector<std::string_view> os_labels(const Settings& settings) {
  std::vector<std::string_view> labels = {kOsLabel, kBetaOsLabel};
  if (std::ranges::find(labels, settings.os_label()) == labels.end()) {
    labels.push_back(settings.os_label());
  }
  return labels;
}

/// Whether the pod `i` may lack a selector: the twin of needs_placement().
std::string needs_selector(std::string_view i, Os default_os) {
  std::string text = fill("variables.podOs[$i] == 'windows'", {{"$i", std::string(i)}});
  if (default_os != Os::linux) return text;
  return fill(
      "($windows ||\n    variables.podOs[$i] == 'linux' && !variables.views[$i].selectsLinux)",
      {{"$windows", text}, {"$i", std::string(i)}});
}

/// Whether the selector is added on UPDATE of a pod: the old one has it.
std::string is_selector_lost(const Settings& settings, Os default_os) {
  return fill(
      "$needed &&\n"
      "  !$osLabels.exists(label, label in variables.views[0].spec.?nodeSelector.orValue({})) &&\n"
      "  variables.views[1].spec.?nodeSelector[?$key].orValue('') == variables.podOs[0]",
      {{"$needed", needs_selector("0", default_os)},
       {"$osLabels", cel_list(os_labels(settings))},
       {"$key", cel_string(settings.os_label())}});
}

/// The tolerations that placement may add, and that an UPDATE of a pod would remove.
std::string lost_tolerations() {
  const auto contains = [](const std::string& list) {
    return fill(
        "$list.exists(e, e.?key.orValue('') == toleration.key &&\n"
        "      e.?operator.orValue('') == toleration.operator &&\n"
        "      e.?value.orValue('') == toleration.?value.orValue('') &&\n"
        "      e.?effect.orValue('') == toleration.?effect.orValue(''))",
        {{"$list", list}});
  };
  return fill(
      "variables.podOs[0] != 'windows' ? [] :\n"
      "    dyn(variables.knownTolerations).filter(toleration, $old &&\n      !$new)",
      {{"$old", contains("variables.views[1].tolerations")},
       {"$new", contains("variables.views[0].tolerations")}});
}

/// A list of the tolerations that the pod and the old one are to have if they are for Windows.
std::string wanted_tolerations() {
  return fill(
      "variables.indexes.map(i, [variables.views[i]].map(view,\n"
      "    variables.podOs[i] != 'windows' ? [] : [$wanted].map(wanted,\n"
      "      variables.knownTolerations.filter(toleration, wanted.exists(build,\n"
      "      toleration in variables.tolerationsByBuild[build])))[0])[0])",
      {{"$wanted", wanted_builds()}});
}

/// A list of what the pod and the old one lack, as maps with `selector` (a boolean) and
/// `tolerations` (a list).
std::string missing_placement(const Settings& settings, Os default_os) {
  return fill(
      "variables.indexes.map(i, [variables.views[i]].map(view, {\n"
      "    'selector': dyn($needed &&\n"
      "      !variables.isOwnedByDaemonSet &&\n"
      "      (view.linux || view.windows || view.hasWindowsOptions || !view.namesNode) &&\n"
      "      !$labels.exists(label, label in view.spec.?nodeSelector.orValue({}))),\n"
      "    'tolerations': dyn(variables.wantedTolerations[i].filter(toleration, !$tolerated))"
      "})[0])",
      {{"$needed", needs_selector("i", default_os)},
       {"$labels", cel_list(os_labels(settings))},
       {"$tolerated", tolerates("view.tolerations", "toleration")}});
}

/// Whether the controller of the pod is a DaemonSet, which has chosen its node.
constexpr const char* kIsOwnedByDaemonSet =
    "request.kind.kind == 'Pod' &&\n"
    "  variables.templates[0].?metadata.?ownerReferences.orValue([]).exists(owner,\n"
    "    owner.kind == 'DaemonSet' && owner.?controller.orValue(false))";

}  // namespace

std::vector<CelVariable> placement_variables(const Settings& settings, Os default_os) {
  return {
      {"knownTolerations", to_json(known_tolerations(settings)).dump()},
      {"tolerationsByBuild", tolerations_by_build(settings).dump()},
      {"buildTaints", own_taints(settings).dump()},
      {"isOwnedByDaemonSet", kIsOwnedByDaemonSet},
      {"wantedTolerations", wanted_tolerations()},
      {"missing", missing_placement(settings, default_os)},
      {"path", "request.kind.kind == 'Pod' ? '/spec' : '/spec/template/spec'"},
      {"isPodUpdate", "request.kind.kind == 'Pod' && request.operation == 'UPDATE'"},
      {"changes",
       "variables.isPodUpdate &&\n"
       "  variables.wantedTolerations[0] != variables.wantedTolerations[1]"},
      // A patch to an unchanged template of a DaemonSet would start a rollout.
      {"places",
       "!variables.isPodUpdate && (request.operation == 'CREATE' ||\n"
       "  variables.templates[0] != variables.templates[1])"},
      {"addsSelector", "variables.isPodUpdate ?\n  " + is_selector_lost(settings, default_os) +
                           " :\n  variables.places && variables.missing[0].selector"},
      {"lostTolerations", "!variables.isPodUpdate ? [] : " + lost_tolerations()},
      {"addedTolerations",
       "[variables.places || variables.changes ? variables.missing[0].tolerations : dyn([])]\n"
       "  .map(missing, missing +\n"
       "    variables.lostTolerations.filter(each, !(each in missing)))[0]"},
  };
}

std::string placement_patch(const Settings& settings) {
  const std::string label = std::string(settings.os_label());
  return fill(
      R"((!variables.addsSelector ? [] :
  has(variables.templates[0].spec.nodeSelector) ?
  [JSONPatch{op: 'add', path: variables.path + '/nodeSelector/' + $pointer,
    value: variables.podOs[0]}] :
  [JSONPatch{op: 'add', path: variables.path + '/nodeSelector',
    value: {$label: variables.podOs[0]}}]) +
(variables.addedTolerations.size() == 0 ? [] :
  has(variables.templates[0].spec.tolerations) ?
  variables.addedTolerations.map(toleration,
    JSONPatch{op: 'add', path: variables.path + '/tolerations/-', value: toleration}) :
  [JSONPatch{op: 'add', path: variables.path + '/tolerations',
    value: variables.addedTolerations}]))",
      {{"$pointer", cel_string(escape_pointer_token(label))}, {"$label", cel_string(label)}});
}

}  // namespace winadmit
