#include "policy/cel/placement_cel.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "policy/json/field_path.hpp"
#include "policy/judge/placement.hpp"
#include "policy/pod/builds.hpp"
#include "policy/pod/image.hpp"
#include "policy/pod/labels.hpp"

namespace winadmit {
namespace {

using nlohmann::ordered_json;

/// In tags, for the words of kWordsBeforeYear.
constexpr std::string_view kWordBeforeYear = kWordsBeforeYear.front();

/// Every toleration that placement may add, in its order, with the builds that want it: "" is the
/// default.
std::string candidates(const Settings& settings) {
  std::string all;
  for (const Toleration* each : known_tolerations(settings)) {
    std::vector<std::string> builds;
    const auto add = [&](const std::string& build, const std::vector<Toleration>& set) {
      if (std::ranges::find(set, *each) != set.end()) builds.push_back(build);
    };
    add("", settings.tolerations);
    for (const auto& [build, set] : settings.tolerations_by_build) add(build, set);
    if (!all.empty()) all += ",\n        ";
    all += fill("{'toleration': dyn($toleration), 'builds': dyn($builds)}",
                {{"$toleration", to_json(*each).dump()}, {"$builds", cel_list(builds)}});
  }
  return all.empty() ? all : '[' + all + ']';
}

/// The builds that the pod names, of which "" is the default: those of its labels, else of its
/// tolerations, else of its images.
std::string wanted_builds(const Settings& settings) {
  if (settings.tolerations_by_build.empty()) return "['']";
  std::vector<std::string> configured;
  for (const auto& [build, set] : settings.tolerations_by_build) configured.push_back(build);
  const ordered_json own = own_taints(settings);
  std::string by_taints = "[]";
  if (!own.empty()) {
    by_taints =
        fill("$own.filter(build, $own[build].exists(taint,\n      $named))",
             {{"$own", own.dump()}, {"$named", tolerates_by_name("view.tolerations", "taint")}});
  }
  return fill(
      "[[\n"
      "      $configured.filter(build, view.builds.exists(list, build in list)) +\n"
      "      (view.builds.exists(list, list.exists(build, !(build in $configured))) ?"
      " [''] : []),\n"
      "      $taints,\n"
      "      $images.filter(build, build in $configured), ['']]\n"
      "      .filter(builds, builds.size() > 0)[0]][0]",
      {{"$configured", cel_list(configured)},
       {"$taints", by_taints},
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

/// Whether the selector is added on UPDATE of a pod: the old one has it.
std::string is_selector_lost(const Settings& settings) {
  return fill(
      "(variables.podOs[0] == 'windows' ||\n"
      "    variables.podOs[0] == 'linux' && !variables.views[0].linux) &&\n"
      "  !$osLabels.exists(label, label in variables.views[0].spec.?nodeSelector.orValue({})) &&\n"
      "  variables.views[1].spec.?nodeSelector[?$key].orValue('') == variables.podOs[0]",
      {{"$osLabels", cel_list(os_labels(settings))}, {"$key", cel_string(settings.os_label())}});
}

/// The tolerations that placement may add, and that an UPDATE of a pod would remove.
std::string lost_tolerations(const Settings& settings) {
  const ordered_json known = to_json(known_tolerations(settings));
  if (known.empty()) return "[]";
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
      "    dyn($known).filter(toleration, $old &&\n      !$new)",
      {{"$known", known.dump()},
       {"$old", contains("variables.views[1].tolerations")},
       {"$new", contains("variables.views[0].tolerations")}});
}

}  // namespace

ordered_json own_taints(const Settings& settings) {
  ordered_json all = ordered_json::object();
  for (const auto& [build, set] : settings.tolerations_by_build) {
    for (const Toleration& taint : set) {
      if (identifies_build(taint, set, settings)) all[build].push_back(to_json(taint));
    }
  }
  return all;
}

ordered_json to_json(const Toleration& toleration) {
  ordered_json json = {{"key", toleration.key}, {"operator", toleration.op}};
  if (!toleration.value.empty()) json["value"] = toleration.value;
  if (!toleration.effect.empty()) json["effect"] = toleration.effect;
  return json;
}

ordered_json to_json(const std::vector<Toleration>& tolerations) {
  ordered_json json = ordered_json::array();
  for (const Toleration& each : tolerations) json.push_back(to_json(each));
  return json;
}

ordered_json to_json(const std::vector<const Toleration*>& tolerations) {
  ordered_json json = ordered_json::array();
  for (const Toleration* each : tolerations) json.push_back(to_json(*each));
  return json;
}

std::string tolerates(std::string_view list, std::string_view wanted) {
  return fill(
      "$list.exists(e, (e.?key.orValue('') == '' || e.key == $wanted.key) &&\n"
      "      (e.?effect.orValue('') == '' || e.effect == $wanted.?effect.orValue('')) &&\n"
      "      (e.?operator.orValue('') == 'Exists' || e.?operator.orValue('') in ['', 'Equal']"
      " &&\n        $wanted.operator != 'Exists' &&\n"
      "        e.?value.orValue('') == $wanted.?value.orValue('')))",
      {{"$list", std::string(list)}, {"$wanted", std::string(wanted)}});
}

std::string tolerates_by_name(std::string_view tolerations, std::string_view taint) {
  return fill(
      "$list.exists(e, e.?key.orValue('') == $taint.key &&\n"
      "      e.?value.orValue('') == $taint.?value.orValue('') &&\n"
      "      e.?operator.orValue('') in ['', 'Equal'] &&\n"
      "      (e.?effect.orValue('') == '' || e.effect == $taint.?effect.orValue('')))",
      {{"$list", std::string(tolerations)}, {"$taint", std::string(taint)}});
}

std::string names_windows_in_cel(std::string_view image) {
  return cel_list(windows_words()) +
         fill(".exists(word, $image.contains(word))", {{"$image", std::string(image)}});
}

std::string build_of_image(std::string_view container) {
  ordered_json builds = ordered_json::object();
  // Words before years become one word, and years names: servercore-2022 is windows-ltsc2022.
  std::string words, years;
  for (const std::string_view word : kWordsBeforeYear) {
    const bool needs_separator =
        std::ranges::find(kWordsBeforeBuild, word) == kWordsBeforeBuild.end();
    if (word == kWordBeforeYear) continue;
    words +=
        fmt::format(".replace('{}{}', '{}-')", word, needs_separator ? "-" : "", kWordBeforeYear);
  }
  for (const WindowsBuild& build : windows_builds()) {
    builds[std::string(build.label)] = build.tags;
    if (const std::string_view year = year_of(build); !year.empty()) {
      years +=
          fmt::format(".replace('{0}-{1}', '{0}-{2}')", kWordBeforeYear, year, build.tags.front());
    }
  }
  // A tag is between the last colon after the last slash and the digest. windows-2022-05-17 has a
  // date.
  return fill(
      "[$container.?image.orValue('').split('@')[0]].map(image,\n"
      "      [image.find(':[^/]{0,128}$').replace(':', '').replace('_', '-')\n"
      "      .split('-').filter(part, part != '').join('-')\n"
      "      $words.replace('--', '-')].map(tag,\n"
      "      tag.matches('$word-[0-9]{4}-(0[1-9]|1[0-2])(-|$)') ? tag : tag\n"
      "      $years)[0].split('-')\n"
      "      .filter(part, part.startsWith('ltsc') || part.startsWith('10.0.') ||\n"
      "        $windows)\n"
      "      .map(part, $builds.filter(build, part in $builds[build] ||\n"
      "        part == build || part.startsWith(build + '.')))\n"
      "      .filter(names, names.size() > 0))\n"
      "      .map(found, found.all(names, names == found[0]) ? found : [])[0]",
      {{"$container", std::string(container)},
       {"$windows", names_windows_in_cel("image")},
       {"$words", words},
       {"$word", std::string(kWordBeforeYear)},
       {"$years", years},
       {"$builds", builds.dump()}});
}

std::string build_of_images(std::string_view view) {
  // Every image that names a build must name the same.
  return fill(
      "[$view.nonEphemeralContainers.filter(c, !c.?securityContext.?windowsOptions.?hostProcess\n"
      "      .or($view.securityContext.?windowsOptions.?hostProcess).orValue(false))\n"
      "      .map(c, $build).filter(named, named.size() > 0).map(named, named[0][0])]\n"
      "      .map(named, named.size() > 0 && named.all(build, build == named[0]) ?"
      " [named[0]] : [])[0]",
      {{"$view", std::string(view)}, {"$build", build_of_image("c")}});
}

CelVariable wanted_tolerations(const Settings& settings) {
  std::string wanted = "[]";
  if (const std::string all = candidates(settings); !all.empty()) {
    wanted = fill(
        "[$wanted].map(wanted,\n"
        "      $candidates.filter(candidate,\n"
        "      candidate.builds.exists(build, build in wanted))\n"
        "      .map(candidate, candidate.toleration))[0]",
        {{"$wanted", wanted_builds(settings)}, {"$candidates", all}});
  }
  return {"wantedTolerations", fill("variables.indexes.map(i, [variables.views[i]].map(view,\n"
                                    "    variables.podOs[i] != 'windows' ? [] :\n"
                                    "      $wanted)[0])",
                                    {{"$wanted", wanted}})};
}

CelVariable missing_placement(const Settings& settings) {
  return {
      "missing",
      fill("variables.indexes.map(i, [variables.views[i]].map(view, {\n"
           "    'selector': dyn((variables.podOs[i] == 'windows' ||\n"
           "      variables.podOs[i] == 'linux' && !view.linux) &&\n"
           "      !variables.isOwnedByDaemonSet &&\n"
           "      (view.linux || view.windows || view.hasWindowsOptions || !view.namesNode) &&\n"
           "      !$labels.exists(label, label in view.spec.?nodeSelector.orValue({}))),\n"
           "    'tolerations': dyn(variables.wantedTolerations[i].filter(toleration, !$tolerated))"
           "})[0])",
           {{"$labels", cel_list(os_labels(settings))},
            {"$tolerated", tolerates("view.tolerations", "toleration")}})};
}

CelVariable is_owned_by_daemon_set() {
  return {"isOwnedByDaemonSet",
          "request.kind.kind == 'Pod' &&\n"
          "  variables.templates[0].?metadata.?ownerReferences.orValue([]).exists(owner,\n"
          "    owner.kind == 'DaemonSet' && owner.?controller.orValue(false))"};
}

std::vector<CelVariable> placement_variables(const Settings& settings) {
  return {
      is_owned_by_daemon_set(),
      wanted_tolerations(settings),
      missing_placement(settings),
      {"path", "request.kind.kind == 'Pod' ? '/spec' : '/spec/template/spec'"},
      {"isPodUpdate", "request.kind.kind == 'Pod' && request.operation == 'UPDATE'"},
      {"changes",
       "variables.isPodUpdate &&\n"
       "  variables.wantedTolerations[0] != variables.wantedTolerations[1]"},
      // A patch to an unchanged template of a DaemonSet would start a rollout.
      {"places",
       "!variables.isPodUpdate && (request.operation == 'CREATE' ||\n"
       "  variables.templates[0] != variables.templates[1])"},
      {"addsSelector", "variables.isPodUpdate ?\n  " + is_selector_lost(settings) +
                           " :\n  variables.places && variables.missing[0].selector"},
      {"lostTolerations", "!variables.isPodUpdate ? [] : " + lost_tolerations(settings)},
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
