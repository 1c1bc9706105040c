#include "cli/judge/manifest_checker.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "admission/review_reader.hpp"
#include "cli/fields/unknown_fields.hpp"
#include "cli/judge/check_advice.hpp"
#include "cli/judge/host_process.hpp"
#include "cli/judge/named_pointer.hpp"
#include "cli/judge/namespace_check.hpp"
#include "cli/judge/os_name.hpp"
#include "cli/judge/patch_sign.hpp"
#include "cli/judge/platform_hint.hpp"
#include "cli/judge/refused_fields.hpp"
#include "cli/judge/unpinned_linux.hpp"

namespace winadmit::cli {
namespace {

using nlohmann::json;

/// Each round of report_and_clear_malformed_fields() reads the whole subject, and finds a few.
constexpr std::size_t kMaxMalformed = 100;

std::pair<int, int> position(const ManifestFinding& finding) {
  return {finding.location.line, finding.location.column};
}

/// A finding about a field of the subject; the other members are for the caller.
ManifestFinding finding_at(manifests::Locator& locator, const Subject& subject,
                           const std::string& pointer) {
  const std::string in_manifest = subject.pointer_in_manifest(pointer);
  return {.location = locator.at(in_manifest), .object = subject.name(), .pointer = in_manifest};
}

ManifestFinding as_malformed(ManifestFinding made, std::string reason) {
  made.is_denial = true;
  made.reason = std::move(reason);
  made.rule = kMalformedField;
  return made;
}

ManifestFinding malformed_at(manifests::Locator& locator, const Subject& subject,
                             const std::string& pointer, std::string reason) {
  return as_malformed(finding_at(locator, subject, pointer), std::move(reason));
}

/// Something else in the place of a template.
ManifestFinding malformed_template(manifests::Locator& locator, const ObjectName& object,
                                   const FoundTemplate& found) {
  return as_malformed({.location = locator.at(found.pointer),
                       .object = object,
                       .field = found.field,
                       .pointer = found.pointer},
                      "must be an object, not " + std::string(type_name(found.value)));
}

ManifestFinding to_manifest_finding(manifests::Locator& locator, const Subject& subject,
                                    const Finding& finding) {
  ManifestFinding made = finding_at(locator, subject, finding.path.json_pointer());
  made.is_denial = finding.action == Action::deny;
  made.field = subject.field_in_manifest(finding.field);
  made.reason = join_parts({finding.lead, finding.reason});
  made.instead = finding.instead;
  made.rule = finding.id;
  made.source = finding.source;
  return made;
}

void add_findings(const Findings& found, manifests::Locator& locator, const Subject& subject,
                  Verdict& verdict) {
  for (const Finding& each : found.kept)
    verdict.findings.push_back(to_manifest_finding(locator, subject, each));
  verdict.left_out += found.total - found.kept.size();
}

/// Adds what came of one template to what came of the object.
void add(Verdict part, Verdict& whole) {
  whole.is_patch |= part.is_patch;
  whole.asks_for_windows |= part.asks_for_windows;
  whole.left_out += part.left_out;
  whole.accepted += part.accepted;
  whole.is_exempt |= part.is_exempt;
  std::ranges::move(part.findings, std::back_inserter(whole.findings));
}

std::string_view rule_of(const UnknownField& field) {
  if (field.is_of_other_release) return kAdviceFieldRelease;
  return field.is_placement ? kMisplacedField : kUnknownField;
}

bool is_bad_object(const server::Admission& admission) {
  return admission.bad_request &&
         admission.bad_request->reason == server::BadRequestReason::bad_object;
}

bool has_no_pod_to_judge(const Subject& subject) {
  JsonObject object;
  return subject.pod_kind() != nullptr && !subject.is_review() &&
         subject.original().get(object) == simdjson::SUCCESS &&
         is_without_pod(*subject.pod_kind(), object);
}

bool has_malformed_field(const Verdict& verdict) {
  return std::ranges::any_of(
      verdict.findings, [](const ManifestFinding& each) { return each.rule == kMalformedField; });
}

/// Each round finds a missing field again.
bool is_reported(const Verdict& verdict, const std::string& field) {
  return std::ranges::any_of(verdict.findings, [&](const ManifestFinding& each) {
    return each.rule == kMalformedField && each.field == field;
  });
}

}  // namespace

ManifestChecker::ManifestChecker(const server::Config& config, Os default_os, Mutation mutation,
                                 bool fix_sets_os, AddedScheduling* added)
    : mutation_(mutation), reviewer_(config, default_os, added), fixer_(reviewer_, fix_sets_os) {}

Verdict ManifestChecker::judge(const manifests::Manifest& manifest,
                               const std::vector<TemplatePath>& templates) {
  malformed_left_ = kMaxMalformed;
  Subject subject(manifest);
  manifests::Locator locator(manifest);
  Verdict verdict{.object = subject.name(), .is_judged = true, .findings = {}};
  if (has_no_pod_to_judge(subject)) {
    verdict.is_judged = false;
    add_unknown_fields(subject, locator, verdict);
  } else if (subject.pod_kind() != nullptr) {
    judge_subject(std::move(subject), locator, verdict);
  } else if (subject.kind() == "Namespace" && subject.group().empty() && !subject.is_review()) {
    add_label_faults(manifest, action_of_advice(kAdviceNamespaceLabel, reviewer_.settings()),
                     verdict);
  } else if (const auto found = find_templates(manifest.object, verdict.object, templates);
             !found.empty()) {
    for (const FoundTemplate& each : found) {
      if (!each.value.is_object()) {
        verdict.findings.push_back(malformed_template(locator, verdict.object, each));
        continue;
      }
      Verdict one{.object = verdict.object, .findings = {}};
      judge_subject(Subject(manifest, verdict.object, each), locator, one);
      add(std::move(one), verdict);
    }
  } else {
    verdict.is_judged = false;
  }
  std::ranges::stable_sort(verdict.findings, {}, position);
  NamedPointers pointers(manifest.object);
  for (ManifestFinding& each : verdict.findings) {
    each.named_pointer = pointers.name(each.pointer);
    if (manifest.document != nullptr) each.source_file = manifest.document->source_file();
  }
  return verdict;
}

void ManifestChecker::judge_subject(Subject subject, manifests::Locator& locator,
                                    Verdict& verdict) {
  if (auto scheduled = reviewer_.sent_to_windows(subject)) subject = *std::move(scheduled);
  server::Admission admission = judge_request(subject);
  while (is_bad_object(admission) && report_and_clear_malformed_fields(subject, locator, verdict)) {
    admission = judge_request(subject);
  }
  const Os os = admission.target.os;
  if (os == Os::windows || os == Os::conflict) verdict.asks_for_windows = true;
  verdict.accepted += admission.accepted;
  verdict.is_exempt |= admission.decision == server::Decision::exempt;
  add_findings(admission.found, locator, subject, verdict);
  if (admission.decision != server::Decision::exempt) add_unknown_fields(subject, locator, verdict);
  const bool is_explained = malformed_left_ == 0 || has_malformed_field(verdict);
  if (admission.bad_request && !is_explained) {
    verdict.findings.push_back(malformed_at(locator, subject, "", admission.bad_request->message));
  }
  if (admission.bad_request) return;
  add_check_advice(subject, locator, admission, verdict);
  if (mutation_ == Mutation::none) judge_placement(subject, locator, verdict);
}

server::Admission ManifestChecker::judge_request(Subject& subject) {
  server::ParsedReview parsed = reviewer_.read_review(subject);
  if (parsed.bad_request) return server::refuse_malformed(*std::move(parsed.bad_request));
  if (mutation_ == Mutation::none) return reviewer_.admit(parsed.review, server::Hook::validate);
  const server::Admission mutated = reviewer_.admit(parsed.review, server::Hook::mutate);
  if (mutated.bad_request) return mutated;
  const Patch& patch = mutated.response.patch;
  if (!patch.empty()) {
    // Most pods are placed: the text is changed without a second object.
    std::string text = subject.text();
    if (patcher_.apply(patch, subject.pointer(), text)) {
      parsed = reviewer_.parse_review(subject, std::move(text));
    } else {
      apply_patch(patch, subject.change_object());
      parsed = reviewer_.read_review(subject);
    }
  }
  return reviewer_.admit(parsed.review, server::Hook::validate);
}

bool ManifestChecker::report_and_clear_malformed_fields(Subject& subject,
                                                        manifests::Locator& locator,
                                                        Verdict& verdict) {
  const std::optional<Pod> pod = reviewer_.read_pod_of(subject);
  if (!pod) return false;
  const FieldErrors errors = reviewer_.errors_of(*pod);
  if (errors.empty()) return false;
  if (malformed_left_ < errors.kept().size()) {
    malformed_left_ = 0;
    verdict.left_out += errors.kept().size();
    return false;
  }
  json& object = subject.change_object();
  bool has_removed = false;
  for (const FieldError& each : errors.kept()) {
    const json::json_pointer pointer(each.pointer);
    const bool is_there = object.contains(pointer) && !object.at(pointer).is_null();
    // A field that was removed in an earlier round, and is missed now.
    if (!is_there && is_reported(verdict, subject.field_in_manifest(each.path))) continue;
    ManifestFinding finding = malformed_at(locator, subject, each.pointer, each.what);
    finding.field = subject.field_in_manifest(each.path);
    verdict.findings.push_back(std::move(finding));
    --malformed_left_;
    if (!is_there) continue;
    // Null counts as absent, and keeps the places of the other entries of a list.
    object[pointer] = nullptr;
    has_removed = true;
  }
  return has_removed;
}

void ManifestChecker::add_unknown_fields(const Subject& subject, manifests::Locator& locator,
                                         Verdict& verdict) {
  const auto object = subject.given_object();
  if (!object) return;
  UnknownFields found =
      find_unknown_fields(*object, *subject.pod_kind(), reviewer_.settings().kubernetes);
  for (UnknownField& each : found.kept) {
    const std::string_view rule = rule_of(each);
    ManifestFinding made = finding_at(locator, subject, each.pointer);
    made.is_denial = each.is_placement;
    made.field = std::move(each.field);
    made.reason = std::move(each.reason);
    made.instead = each.instead.empty() ? check_advice_kind(rule).instead : std::move(each.instead);
    made.rule = rule;
    verdict.findings.push_back(std::move(made));
  }
  verdict.left_out += found.left_out;
}

void ManifestChecker::judge_placement(const Subject& subject, manifests::Locator& locator,
                                      Verdict& verdict) {
  const auto is_unplaced = [](const ManifestFinding& each) { return each.rule == kAdviceUnplaced; };
  const server::ParsedReview parsed = reviewer_.read_review(subject);
  const std::optional<Pod> pod = reviewer_.pod_in(parsed, subject);
  if (!pod) return;
  if (!subject.is_review() && !find_patch_sign(*pod, *parsed.review.object).empty()) {
    std::erase_if(verdict.findings, is_unplaced);
    return;
  }
  if (pod->kind->is_pod() || std::ranges::any_of(verdict.findings, is_unplaced)) return;
  FindingCollector collected(LocalReviewer::kMaxFindings);
  const server::IgnoredIds exempt = reviewer_.exempt_ids(parsed.review);
  server::IgnoringSink sink(collected, exempt);
  reviewer_.policy().advisor().advise(*pod, reviewer_.target_of(*pod), /*placed_by_us=*/true, sink);
  for (const Finding& each : collected.extract().kept) {
    if (each.id != kAdviceUnplaced) continue;
    verdict.findings.push_back(to_manifest_finding(locator, subject, each));
  }
}

void ManifestChecker::add_check_advice(const Subject& subject, manifests::Locator& locator,
                                       const server::Admission& admission, Verdict& verdict) {
  const server::ParsedReview parsed = reviewer_.read_review(subject);
  const std::optional<Pod> pod = reviewer_.pod_in(parsed, subject);
  if (!pod) return;
  FindingCollector collected(LocalReviewer::kMaxFindings);
  const server::IgnoredIds exempt = reviewer_.exempt_ids(parsed.review);
  server::IgnoringSink sink(collected, exempt);
  advise_on_os_name(*pod, reviewer_.settings().kubernetes, sink);
  advise_on_host_process(*pod, reviewer_.settings().kubernetes, sink);
  // The webhooks do not know that labels of another platform send the pod to Windows nodes.
  if (!platforms_selected_by(*pod, reviewer_.settings()).empty()) {
    std::erase_if(verdict.findings, [](const ManifestFinding& each) {
      return each.rule == kAdviceHint && !each.is_denial;
    });
  }
  const bool has_hint = std::ranges::any_of(
      verdict.findings, [](const ManifestFinding& each) { return each.rule == kAdviceHint; });
  if (!has_hint && admission.decision != server::Decision::exempt)
    advise_on_os_hint(*pod, reviewer_.target_of(*pod), reviewer_.settings(), sink);
  const bool may_be_for_windows =
      has_hint || collected.total() != 0 || has_malformed_field(verdict);
  const bool is_patch =
      !subject.is_review() && !find_patch_sign(*pod, *parsed.review.object).empty();
  verdict.is_patch |= is_patch;
  if (reviewer_.asks_for_linux_selector() && !may_be_for_windows && !is_patch &&
      admission.decision != server::Decision::exempt) {
    advise_on_unpinned_linux(*pod, reviewer_.policy(), sink);
  }
  if (const Target target = reviewer_.target_of(*pod); !target.asks_for_linux()) {
    refuse_node_selector(*pod, sink);
    refuse_tolerations(*pod, reviewer_.settings().kubernetes, sink);
    refuse_windows_fields(*pod, target, reviewer_.settings().kubernetes, sink);
  }
  verdict.accepted += sink.count();
  add_findings(collected.extract(), locator, subject, verdict);
}

}  // namespace winadmit::cli
