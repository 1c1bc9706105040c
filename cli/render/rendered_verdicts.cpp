#include "cli/render/rendered_verdicts.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace winadmit::cli {
namespace {

bool is_same(const ManifestFinding& left, const ManifestFinding& right) {
  const auto parts = [](const ManifestFinding& of) {
    return std::tie(of.rule, of.is_denial, of.field, of.reason, of.location.file, of.source_file);
  };
  return parts(left) == parts(right);
}

void merge(ManifestFinding finding, std::vector<ManifestFinding>& to) {
  const auto same =
      std::ranges::find_if(to, [&](const ManifestFinding& each) { return is_same(each, finding); });
  if (same == to.end()) {
    to.push_back(std::move(finding));
    return;
  }
  for (std::string& each : finding.sets)
    if (std::ranges::find(same->sets, each) == same->sets.end())
      same->sets.push_back(std::move(each));
}

void merge(Verdict verdict, Verdict& to) {
  to.is_judged |= verdict.is_judged;
  to.is_excluded &= verdict.is_excluded;
  to.is_patch |= verdict.is_patch;
  to.is_exempt |= verdict.is_exempt;
  to.accepted = std::max(to.accepted, verdict.accepted);
  to.asks_for_windows |= verdict.asks_for_windows;
  to.left_out = std::max(to.left_out, verdict.left_out);
  for (ManifestFinding& each : verdict.findings) merge(std::move(each), to.findings);
}

}  // namespace

void RenderedVerdicts::add(const manifests::Manifest& manifest, Verdict verdict) {
  for (ManifestFinding& each : verdict.findings)
    each.location = {.file = std::move(each.location.file)};
  const ObjectName& object = verdict.object;
  std::string name = object.group_kind() + '/' + object.name_space + '/' + object.name;
  name += '/' + std::to_string(in_set_[name]++);
  const auto [known, is_new] = index_.try_emplace(name, verdicts_.size());
  if (is_new) {
    verdicts_.push_back({.location = {.file = manifest.file}, .verdict = std::move(verdict)});
  } else {
    merge(std::move(verdict), verdicts_[known->second].verdict);
  }
}

std::vector<RenderedVerdict> RenderedVerdicts::take() {
  index_.clear();
  return std::exchange(verdicts_, {});
}

}  // namespace winadmit::cli
