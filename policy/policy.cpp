#include "policy/policy.hpp"

#include <algorithm>
#include <functional>
#include <iterator>

namespace winadmit {

Validator::Result Policy::judge(const Pod& pod, const Target& target) const {
  Validator::Result result;
  if (target.os == Os::windows) result = validator_.validate(pod);
  std::vector<Finding> advice = advise(pod, target, settings_, is_placed_by_us(pod, settings_));
  std::ranges::move(advice, std::back_inserter(result.findings));
  // A Linux pod is never disturbed: what it lacks, the API server says.
  if (target.os != Os::linux || pod.ambiguous) {
    result.problems.insert(result.problems.begin(), pod.problems.begin(), pod.problems.end());
  }
  return result;
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

  std::vector<Finding> findings = validator_.validate(pod).findings;
  const auto has = [&](Action action) {
    return [action](const Finding& finding) { return finding.action == action; };
  };
  if (sets_os && std::ranges::none_of(findings, has(Action::deny))) {
    patch.push_back({"add", pod.spec_path().pointer() + "/os", R"({"name":"windows"})"});
    append(patch, strip(validator_.validate(pod, true).findings));
    return patch;
  }
  std::erase_if(findings, std::not_fn(has(Action::strip)));
  append(patch, strip(findings));
  return patch;
}

}  // namespace winadmit
