#include "policy/policy.hpp"

#include <algorithm>
#include <iterator>

namespace winadmit {

Problems Policy::judge(const Pod& pod, const Target& target, FindingSink& findings) const {
  Problems problems;
  // A Linux pod is never disturbed: what it lacks, the API server says.
  if (target.os != Os::linux || pod.problems.has_duplicates()) problems = pod.problems;
  if (problems.count() > Problems::kMostKept) return problems;  // nothing else would be told
  if (target.os == Os::windows) validator_.validate(pod, findings, problems);
  advise(pod, target, settings_, is_placed_by_us(pod, settings_), findings);
  return problems;
}

namespace {

bool strips_anything(const Settings& settings) {
  return std::ranges::any_of(settings.actions,
                             [](const auto& entry) { return entry.second == Action::strip; });
}

void append(Patch& to, Patch from) { std::ranges::move(from, std::back_inserter(to)); }

}  // namespace

Patch Policy::patch_new(const Pod& pod, const Target& target, PlaceWhat what) const {
  Patch patch = place(pod, target, settings_, what);
  const bool sets_os = settings_.set_os && what == PlaceWhat::everything && !pod.os_name;
  if (target.os != Os::windows || !(sets_os || strips_anything(settings_))) return patch;

  Findings findings;
  Problems problems;
  validator_.validate(pod, findings, problems);
  if (!problems.empty()) return patch;  // /validate says what is wrong
  Strip strip(Strip::Which::configured);
  if (sets_os && findings.denials() == 0) {
    patch.push_back({"add", pod.spec_path().pointer() + "/os", R"({"name":"windows"})"});
    strip = Strip(Strip::Which::all);
    validator_.validate(pod, strip, problems, true);
  } else {
    validator_.validate(pod, strip, problems);
  }
  append(patch, strip.take());
  return patch;
}

}  // namespace winadmit
