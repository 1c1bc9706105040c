#include "export/cel/image_cel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "export/cel/cel_text.hpp"
#include "policy/pod/builds.hpp"
#include "policy/pod/image.hpp"

namespace winadmit {
namespace {

using nlohmann::ordered_json;

/// In tags, for the words of kWordsBeforeYear.
constexpr std::string_view kWordBeforeYear = kWordsBeforeYear.front();

/// The build that the image of the container c names: a list with [label] for each part
/// of the tag that names it; empty if parts name different builds.
std::string build_of_image() {
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
    if (build.year.empty()) continue;
    years += fmt::format(".replace('{0}-{1}', '{0}-{2}')", kWordBeforeYear, build.year,
                         build.tags.front());
  }
  // A tag is between the last colon after the last slash and the digest. windows-2022-05-17 has a
  // date.
  return fill(
      "[c.?image.orValue('').split('@')[0]].map(image,\n"
      "      [image.find(':[^/]{0,128}$').replace(':', '').replace('_', '-')\n"
      "      .split('-').filter(part, part != '').join('-')\n"
      "      $words.replace('--', '-')].map(tag,\n"
      "      tag.matches('$word-[0-9]{4}-(0[1-9]|1[0-2])(-|$)') ? tag : tag\n"
      "      $years)[0].split('-')\n"
      "      .filter(part, part.startsWith('ltsc') || part.startsWith('10.0.') ||\n"
      "        $windows.exists(word, image.contains(word)))\n"
      "      .map(part, $builds.filter(build, part in $builds[build] ||\n"
      "        part == build || part.startsWith(build + '.')))\n"
      "      .filter(names, names.size() > 0))\n"
      "      .map(found, found.all(names, names == found[0]) ? found : [])[0]",
      {{"$words", words},
       {"$word", std::string(kWordBeforeYear)},
       {"$years", years},
       {"$builds", builds.dump()},
       {"$windows", cel_list(windows_words())}});
}

}  // namespace

std::string build_of_images(std::string_view view) {
  // Every image that names a build must name the same.
  return fill(
      "[$view.nonEphemeralContainers.filter(c, !c.?securityContext.?windowsOptions.?hostProcess\n"
      "      .or($view.securityContext.?windowsOptions.?hostProcess).orValue(false))\n"
      "      .map(c, $build).filter(named, named.size() > 0).map(named, named[0][0])]\n"
      "      .map(named, named.size() > 0 && named.all(build, build == named[0]) ?"
      " [named[0]] : [])[0]",
      {{"$view", std::string(view)}, {"$build", build_of_image()}});
}

}  // namespace winadmit
