#include "export/cel/kind_findings.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "export/cel/cel_text.hpp"
#include "policy/judge/advice_kinds.hpp"
#include "policy/judge/resize.hpp"

namespace winadmit {
namespace {

/// The places of a kind in the view with the index $i.
struct KindCel {
  std::string_view id;
  std::string_view places;
};

constexpr auto kKindCel = std::to_array<KindCel>({
    {kOsConflict, "variables.podOs[$i] == 'conflict' ? ['spec'] : []"},
    {kPodResize,
     "request.?subResource.orValue('') != 'resize' || variables.os != 'windows' || $i == 1 ? [] :\n"
     "  variables.views[0].containers.filter(c, !variables.views[1].containers.exists(o,\n"
     "    o.name == c.name && o.?resources.orValue({}) == c.?resources.orValue({})))\n"
     "  .map(c, 'resources of container ' + c.name)"},
});

std::string for_view(std::string_view text, int index) {
  return fill(text, {{"$i", std::to_string(index)}});
}

/// The places that were not there before, or that were: only of a pod with the same OS.
std::string judged_places(std::string_view text, Judged judged) {
  const std::string now = for_view(text, 0);
  if (judged == Judged::all) return now;
  return fill(
      "($now).filter(place, $not(oldObject != null &&\n"
      "  variables.podOs[0] == variables.podOs[1] && place in ($before)))",
      {{"$now", now},
       {"$not", judged == Judged::added ? "!" : ""},
       {"$before", for_view(text, 1)}});
}

}  // namespace

std::vector<CelFinding> kind_findings(const Settings& settings, Judged judged) {
  std::vector<CelFinding> findings;
  for (const KindCel& each : kKindCel) {
    const Action action = action_of_advice(each.id, settings);
    if (action == Action::allow) continue;
    const AdviceKind& kind = advice_kind(each.id);
    findings.push_back({.id = each.id,
                        .action = action,
                        .places = judged_places(each.places, judged),
                        .text = fmt::format(": {}; {} ({})", kind.when, kind.instead, each.id),
                        .text_with_spec_os = {},
                        .text_in_ephemeral = {},
                        .pattern = "spec"});
  }
  return findings;
}

bool has_cel(std::string_view id) {
  return std::ranges::find(kKindCel, id, &KindCel::id) != kKindCel.end();
}

}  // namespace winadmit
