#include "cli/fix/suggest_fixes.hpp"

#include <algorithm>

#include "cli/fix/edit_objects.hpp"
#include "cli/judge/emptied_parents.hpp"
#include "manifests/edit.hpp"
#include "policy/judge/advice_kinds.hpp"
#include "policy/rules/rule.hpp"

namespace winadmit::cli {
namespace {

/// The operations that fix the finding alone.
Patch part_for(const ManifestFinding& finding, const Patch& patch) {
  const bool is_placement = finding.rule == kAdviceUnplaced;
  // Pod Security asks for such a field unless the whole patch is applied.
  if (sets_spec_os(patch) && (is_placement || required_by_restricted(finding.rule))) return {};
  Patch part;
  std::ranges::copy_if(patch, std::back_inserter(part), [&](const PatchOperation& each) {
    if (each.rule.empty()) return is_placement;
    return each.rule == finding.rule && each.path == finding.pointer;
  });
  return part;
}

/// Edits at one place become one: SARIF does not say in which order they are made.
std::vector<manifests::TextEdit> merge_edits(std::vector<manifests::TextEdit> edits) {
  std::vector<manifests::TextEdit> merged;
  for (manifests::TextEdit& each : edits) {
    if (merged.empty() || merged.back().begin != each.begin) {
      merged.push_back(std::move(each));
      continue;
    }
    merged.back().end = std::max(merged.back().end, each.end);
    merged.back().text += each.text;
  }
  return merged;
}

/// Empty if the text cannot be edited so.
std::vector<Replacement> edits_for(const manifests::Manifest& manifest, const Patch& patch,
                                   const manifests::Limits& limits) {
  const manifests::Document& document = *manifest.document;
  std::vector<Replacement> edits;
  try {
    for (auto& each : merge_edits(edit_objects(document, {{manifest, patch}}, limits))) {
      edits.push_back({.begin = document.code_point_position(each.begin),
                       .end = document.code_point_position(each.end),
                       .text = std::move(each.text)});
    }
  } catch (const manifests::ParseError&) {
    edits.clear();
  }
  return edits;
}

}  // namespace

bool may_have_fixes(const manifests::Manifest& manifest) {
  return manifest.document && manifest.document->text().size() <= kMaxDocumentWithFixes;
}

void suggest_fixes(const manifests::Manifest& manifest, const Patch& patch,
                   const manifests::Limits& limits, std::size_t& fixes_left,
                   std::vector<ManifestFinding>& findings) {
  if (patch.empty()) return;
  const auto object = nlohmann::json::parse(json_text(manifest));
  for (ManifestFinding& finding : findings) {
    if (fixes_left == 0) return;
    const Patch part = part_for(finding, patch);
    if (part.empty()) continue;
    --fixes_left;
    finding.fix = edits_for(manifest, remove_emptied_parents(part, object), limits);
    // A mapping with an anchor cannot go, but be empty.
    if (finding.fix.empty()) finding.fix = edits_for(manifest, part, limits);
  }
}

}  // namespace winadmit::cli
