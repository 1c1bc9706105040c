#include "cli/judge/manifest_fixer.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include "cli/fields/unknown_fields.hpp"
#include "cli/judge/os_name.hpp"
#include "cli/judge/patch_sign.hpp"
#include "cli/judge/platform_hint.hpp"
#include "cli/judge/refused_fields.hpp"
#include "policy/judge/manual_fix.hpp"
#include "policy/judge/spec_os.hpp"
#include "policy/judge/strip.hpp"

namespace winadmit::cli {
namespace {

/// Removes every removable field; without spec.os none that Pod Security may ask for.
Settings stripping_removable_fields(Settings settings, bool has_spec_os) {
  for (const Rule& rule : rules()) {
    if (!is_removable(rule.id) || (!has_spec_os && required_by_restricted(rule.id))) continue;
    settings.actions.try_emplace(std::string(rule.id), Action::strip);
  }
  return settings;
}

/// Whether the pod gets a toleration although it tolerates the taint of another platform, or
/// selects its nodes: then it may have been written for that one.
std::string find_platform_hint(const Pod& pod, const Patch& placement, const Settings& settings) {
  if (std::ranges::none_of(placement, adds_toleration)) return {};
  if (const std::string names = platforms_tolerated_by(pod); !names.empty()) {
    return "tolerates the taint of Windows nodes on " + names +
           " already; if it is for these, use --platform " + names;
  }
  const std::string names = platforms_selected_by(pod, settings);
  if (names.empty()) return {};
  return "selects the Windows nodes of " + names + "; use --platform " + names;
}

/// "spec.nodeselector: Kubernetes has no such field here; write nodeSelector"; "" if there is none.
std::string find_misplaced_field(const Subject& subject, Version kubernetes) {
  const auto object = subject.given_object();
  if (!object) return {};
  const UnknownFields found = find_unknown_fields(*object, *subject.pod_kind(), kubernetes);
  const auto misplaced = std::ranges::find(found.kept, true, &UnknownField::is_placement);
  if (misplaced == found.kept.end()) return {};
  return misplaced->field + ": " + misplaced->reason +
         (misplaced->instead.empty() ? "" : "; " + misplaced->instead);
}

/// In spec.os or a node selector. Then it may be meant for Windows, whatever the default OS is.
bool has_misspelled_os(const Pod& pod, const Settings& settings) {
  FindingCollector mistakes;
  advise_on_os_name(pod, settings.kubernetes, mistakes);
  refuse_node_selector(pod, mistakes);
  return mistakes.total() > 0;
}

}  // namespace

bool adds_toleration(const PatchOperation& operation) {
  return operation.op == "add" && operation.path.find("/tolerations") != std::string::npos;
}

ManifestFixer::ManifestFixer(LocalReviewer& reviewer, bool sets_os)
    : reviewer_(reviewer),
      settings_(reviewer.settings()),
      with_spec_os_(stripping_removable_fields(reviewer.settings(), true)),
      without_spec_os_(stripping_removable_fields(reviewer.settings(), false)) {
  settings_.set_os |= sets_os;
}

ObjectFix ManifestFixer::fix(const manifests::Manifest& manifest) {
  const Subject subject(manifest);
  ObjectFix made = fix(subject);
  if (!subject.is_review()) return made;
  if (made.patch.empty()) return {};
  return {.why_unchanged = "it is an AdmissionReview; fix the object in it"};
}

bool ManifestFixer::would_fix_templates(const manifests::Manifest& manifest,
                                        const std::vector<TemplatePath>& templates) {
  const ObjectName name = name_of(manifest.object);
  if (templates.empty() || find_pod_kind(name.kind, name.group) != nullptr) return false;
  return std::ranges::any_of(find_templates(manifest.object, name, templates),
                             [&](const FoundTemplate& each) {
                               if (!each.value.is_object()) return false;
                               const ObjectFix wanted = fix(Subject(manifest, name, each));
                               return !wanted.patch.empty() || !wanted.why_unchanged.empty();
                             });
}

ObjectFix ManifestFixer::fix(const Subject& subject) {
  if (subject.pod_kind() == nullptr) return {};
  const server::ParsedReview parsed = reviewer_.read_review(subject);
  const server::Admission mutated = reviewer_.admit(parsed.review, server::Hook::mutate);
  if (mutated.bad_request || mutated.decision == server::Decision::exempt) return {};
  std::optional<Pod> pod = reviewer_.pod_in(parsed, subject);
  if (!pod) return {};
  // Placement would be half of the fix, and the fields could not be judged.
  if (!reviewer_.errors_of(*pod).empty()) return {};
  // Its pods are sent to Windows; the manifest lacks what says so.
  const std::optional<Subject> scheduled =
      subject.is_changed() ? std::nullopt : reviewer_.sent_to_windows(subject);
  const std::optional<Pod> pod_then =
      scheduled ? reviewer_.read_pod_of(*scheduled) : std::optional<Pod>();
  if (pod_then) pod->tolerations = pod_then->tolerations;
  const Target target = reviewer_.target_of(pod_then ? *pod_then : *pod);
  ObjectFix fix = make_fix(*pod, target, reviewer_.exempt_ids(parsed.review));
  if (target.os == Os::linux && !fix.patch.empty() && has_misspelled_os(*pod, settings_))
    return {.why_unchanged = "its OS is misspelled"};
  leave_to_author(fix.patch, *pod, *parsed.review.object, settings_);
  if (fix.patch.empty() && fix.why_no_spec_os.empty()) return fix;
  // Else a pod that was meant for Windows may become one for Linux.
  std::string misplaced = find_misplaced_field(subject, settings_.kubernetes);
  if (!misplaced.empty()) return {.why_unchanged = std::move(misplaced)};
  const std::string sign = find_patch_sign(*pod, *parsed.review.object);
  if (sign.empty()) return fix;
  return {.why_unchanged = "it is a patch (" + sign + "); fix the output of kubectl kustomize"};
}

ObjectFix ManifestFixer::make_fix(const Pod& pod, const Target& target,
                                  const server::IgnoredIds& exempt) const {
  ObjectFix fix{.patch = make_placement_patch(pod, target, settings_)};
  if (target.os != Os::windows) return fix;
  fix.platform_hint = find_platform_hint(pod, fix.patch, settings_);
  const std::string not_set = pod.spec_path().to_string() + ".os.name is not set: ";
  if (may_set_spec_os(pod, target, settings_)) {
    const std::string obstacle =
        first_field_refused_with_spec_os(pod, reviewer_.policy().validator(), settings_);
    if (obstacle.empty()) {
      std::ranges::move(make_spec_os_patch(pod, with_spec_os_.validator).patch,
                        std::back_inserter(fix.patch));
      return fix;
    }
    fix.why_no_spec_os = not_set + "the API server would then refuse " + obstacle;
  } else if (settings_.set_os && !pod.os_name) {
    fix.why_no_spec_os = not_set + "the node of the pod is already chosen";
  }
  const bool has_spec_os = has_windows_spec_os(pod, settings_.kubernetes);
  StripPatch strip(StripPatch::Fields::configured);
  server::IgnoringSink sink(strip, exempt);
  FieldErrors errors;
  (has_spec_os ? with_spec_os_ : without_spec_os_).validator.validate(pod, sink, errors);
  std::ranges::move(strip.extract(), std::back_inserter(fix.patch));
  return fix;
}

}  // namespace winadmit::cli
