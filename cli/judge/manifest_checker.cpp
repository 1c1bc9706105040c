#include "cli/judge/manifest_checker.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "cli/judge/check_advice.hpp"
#include "cli/judge/host_process.hpp"
#include "cli/judge/left_to_author.hpp"
#include "cli/judge/namespace_check.hpp"
#include "cli/judge/near_kind.hpp"
#include "cli/judge/os_hint.hpp"
#include "cli/judge/os_name.hpp"
#include "cli/judge/patch_sign.hpp"
#include "cli/judge/spec_os.hpp"
#include "policy/json/text.hpp"
#include "server/review/review_reader.hpp"

namespace winadmit::cli {
namespace {

using nlohmann::json;

const server::Route& find_route(server::Hook hook, Os default_os) {
  return *std::ranges::find_if(server::kRoutes, [&](const server::Route& each) {
    return each.hook == hook && each.mode == server::Mode::enforce && each.default_os == default_os;
  });
}

std::pair<int, int> position(const ManifestFinding& finding) {
  return {finding.location.line, finding.location.column};
}

server::Config denying_workloads(server::Config config) {
  config.policy.workloads = Action::deny;
  return config;
}

/// Removes every removable field; without spec.os none that Pod Security may ask for.
Settings stripping_removable_fields(Settings settings, bool has_spec_os) {
  settings.set_os = false;
  for (const Rule& rule : rules()) {
    if (!is_removable(rule.id) || (!has_spec_os && is_asked_by_pod_security(rule.id))) continue;
    settings.actions.try_emplace(std::string(rule.id), Action::strip);
  }
  return settings;
}

/// A finding about a field of the subject; the other members are for the caller.
ManifestFinding finding_at(const manifests::Manifest& manifest, const Subject& subject,
                           const std::string& pointer) {
  const std::string in_manifest = subject.pointer_in_manifest(pointer);
  return {.location = manifests::location_of(manifest, in_manifest),
          .object = subject.name(),
          .pointer = in_manifest};
}

ManifestFinding malformed_at(const manifests::Manifest& manifest, const Subject& subject,
                             const std::string& pointer, std::string message) {
  ManifestFinding made = finding_at(manifest, subject, pointer);
  made.is_denial = true;
  made.message = std::move(message);
  made.rule = kMalformedField;
  return made;
}

ManifestFinding to_manifest_finding(const manifests::Manifest& manifest, const Subject& subject,
                                    const Finding& finding) {
  ManifestFinding made = finding_at(manifest, subject, finding.path.json_pointer());
  made.is_denial = finding.action == Action::deny;
  made.field = subject.field_in_manifest(finding.field);
  finding.append_text(made.message);
  made.instead = finding.instead;
  made.rule = finding.id;
  made.source = finding.source;
  return made;
}

void add_findings(const Findings& found, const manifests::Manifest& manifest,
                  const Subject& subject, Verdict& verdict) {
  for (const Finding& each : found.kept)
    verdict.findings.push_back(to_manifest_finding(manifest, subject, each));
  const std::size_t more = found.total - found.kept.size();
  if (more == 0) return;
  ManifestFinding rest = finding_at(manifest, subject, "");
  rest.is_denial = found.denials > 0;
  rest.message = "and " + format_count(more) + " more";
  verdict.findings.push_back(std::move(rest));
}

bool is_bad_object(const server::Admission& admission) {
  return admission.bad_request &&
         admission.bad_request->reason == server::BadRequestReason::bad_object;
}

/// What the API server would ask about the document, if it is not a review itself.
server::ParsedReview make_review(const Subject& subject, JsonValue document) {
  if (subject.is_review()) return server::read_review(document);
  server::Review review;
  review.operation = "CREATE";
  review.kind = subject.kind();
  review.group = subject.group();
  review.name_space = subject.name().name_space;
  if (review.name_space.empty()) review.name_space = "default";
  review.object = JsonObject(document);
  return {.review = review, .bad_request = std::nullopt};
}

/// What is missing is found again after other fields were removed.
bool is_reported(const Verdict& verdict, const std::string& field) {
  return std::ranges::any_of(verdict.findings, [&](const ManifestFinding& each) {
    return each.rule == kMalformedField && each.field == field;
  });
}

}  // namespace

ManifestChecker::ManifestChecker(const server::Config& config, Os default_os, Mutation mutation)
    : config_(denying_workloads(config)),
      default_os_(default_os),
      mutation_(mutation),
      policy_(config_.policy),
      policy_beside_spec_os_(stripping_removable_fields(config_.policy, true)),
      policy_without_spec_os_(stripping_removable_fields(config_.policy, false)) {}

Verdict ManifestChecker::judge(const manifests::Manifest& manifest,
                               const std::vector<TemplatePath>& templates) {
  Subject subject(manifest);
  Verdict verdict{.object = subject.name(), .is_judged = true, .findings = {}};
  if (subject.pod_kind() != nullptr) {
    judge_subject(std::move(subject), manifest, verdict);
  } else if (subject.kind() == "Namespace" && subject.group().empty() && !subject.is_review()) {
    verdict.findings = find_label_faults(manifest, verdict.object,
                                         action_of_advice(kAdviceNamespaceLabel, config_.policy));
  } else if (const auto found = find_templates(manifest.object, verdict.object, templates);
             !found.empty()) {
    for (const FoundTemplate& each : found)
      judge_subject(Subject(manifest, verdict.object, each), manifest, verdict);
  } else {
    verdict.is_judged = false;
    if (auto warning = warn_of_near_kind(manifest, verdict.object))
      verdict.findings.push_back(*std::move(warning));
  }
  std::ranges::stable_sort(verdict.findings, {}, position);
  return verdict;
}

void ManifestChecker::judge_subject(Subject subject, const manifests::Manifest& manifest,
                                    Verdict& verdict) {
  server::Admission admission = judge_request(subject);
  while (is_bad_object(admission) && take_malformed_fields(subject, manifest, verdict)) {
    admission = judge_request(subject);
  }
  const Os os = admission.target.os;
  if (os == Os::windows || os == Os::conflict) verdict.asks_for_windows = true;
  add_findings(admission.found, manifest, subject, verdict);
  const bool is_explained = std::ranges::any_of(
      verdict.findings, [](const ManifestFinding& each) { return each.rule == kMalformedField; });
  if (admission.bad_request && !is_explained) {
    verdict.findings.push_back(malformed_at(manifest, subject, "", admission.bad_request->message));
  }
  if (admission.bad_request) return;
  add_check_advice(subject, manifest, admission, verdict);
  if (mutation_ == Mutation::none) judge_placement(subject, manifest, verdict);
}

server::Admission ManifestChecker::judge_request(Subject& subject) {
  server::ParsedReview parsed = read_review(subject);
  if (parsed.bad_request) return server::refuse_malformed(*std::move(parsed.bad_request));
  if (mutation_ == Mutation::none) return admit(parsed.review, server::Hook::validate);
  const server::Admission mutated = admit(parsed.review, server::Hook::mutate);
  if (mutated.bad_request) return mutated;
  const Patch& patch = mutated.response.patch;
  if (!patch.empty()) {
    // Most pods are placed: the text is changed without a second object.
    std::string text = subject.text();
    if (patcher_.apply(patch, subject.pointer(), text)) {
      parsed = parse_review(subject, std::move(text));
    } else {
      apply_patch(patch, subject.change_object());
      parsed = read_review(subject);
    }
  }
  return admit(parsed.review, server::Hook::validate);
}

bool ManifestChecker::take_malformed_fields(Subject& subject, const manifests::Manifest& manifest,
                                            Verdict& verdict) {
  const std::optional<Pod> pod = read_pod_of(subject);
  if (!pod) return false;
  FindingCollector ignored;
  const FieldErrors errors = policy_.validate(*pod, target_of(*pod), ignored);
  if (errors.empty()) return false;
  json& object = subject.change_object();
  bool has_removed = false;
  for (const FieldError& each : errors.kept()) {
    const json::json_pointer pointer(each.pointer);
    const bool is_there = object.contains(pointer) && !object.at(pointer).is_null();
    // A field that was removed in an earlier round, and is missed now.
    if (!is_there && is_reported(verdict, subject.field_in_manifest(each.path))) continue;
    ManifestFinding finding = malformed_at(manifest, subject, each.pointer, each.what);
    finding.field = subject.field_in_manifest(each.path);
    verdict.findings.push_back(std::move(finding));
    if (!is_there) continue;
    // Null counts as absent, and keeps the places of the other entries of a list.
    object[pointer] = nullptr;
    has_removed = true;
  }
  return has_removed;
}

void ManifestChecker::judge_placement(const Subject& subject, const manifests::Manifest& manifest,
                                      Verdict& verdict) {
  const auto is_unplaced = [](const ManifestFinding& each) { return each.rule == kAdviceUnplaced; };
  const server::ParsedReview parsed = read_review(subject);
  const std::optional<Pod> pod = pod_in(parsed, subject);
  if (!pod) return;
  if (!subject.is_review() && !find_patch_sign(*pod, *parsed.review.object).empty()) {
    std::erase_if(verdict.findings, is_unplaced);
    return;
  }
  if (pod->kind->is_pod() || std::ranges::any_of(verdict.findings, is_unplaced)) return;
  FindingCollector collected;
  policy_.advisor().advise(*pod, target_of(*pod), /*placed_by_us=*/true, collected);
  for (const Finding& each : collected.extract().kept) {
    if (each.id != kAdviceUnplaced) continue;
    verdict.findings.push_back(to_manifest_finding(manifest, subject, each));
  }
}

void ManifestChecker::add_check_advice(const Subject& subject, const manifests::Manifest& manifest,
                                       const server::Admission& admission, Verdict& verdict) {
  const std::optional<Pod> pod = read_pod_of(subject);
  if (!pod) return;
  FindingCollector collected;
  advise_on_os_name(*pod, collected);
  advise_on_host_process(*pod, config_.policy.kubernetes, collected);
  const bool has_hint = std::ranges::any_of(
      verdict.findings, [](const ManifestFinding& each) { return each.rule == kAdviceHint; });
  if (!has_hint && admission.decision != server::Decision::exempt)
    advise_on_os_hint(*pod, target_of(*pod), config_.policy, collected);
  add_findings(collected.extract(), manifest, subject, verdict);
}

ObjectFix ManifestChecker::fix(const manifests::Manifest& manifest) {
  const Subject subject(manifest);
  return subject.is_review() ? ObjectFix() : fix(subject);
}

bool ManifestChecker::would_fix_templates(const manifests::Manifest& manifest,
                                          const std::vector<TemplatePath>& templates) {
  const ObjectName name = name_of(manifest.object);
  if (templates.empty() || find_pod_kind(name.kind, name.group) != nullptr) return false;
  return std::ranges::any_of(
      find_templates(manifest.object, name, templates),
      [&](const FoundTemplate& each) { return !fix(Subject(manifest, name, each)).patch.empty(); });
}

ObjectFix ManifestChecker::fix(const Subject& subject) {
  if (subject.pod_kind() == nullptr) return {};
  const server::ParsedReview parsed = read_review(subject);
  const server::Admission mutated = admit(parsed.review, server::Hook::mutate);
  if (mutated.bad_request || mutated.decision == server::Decision::exempt) return {};
  const std::optional<Pod> pod = pod_in(parsed, subject);
  if (!pod) return {};
  const Target target = target_of(*pod);
  FindingCollector ignored;
  // Placement would be half of the fix, and the fields could not be judged.
  if (!policy_.validate(*pod, target, ignored).empty()) return {};
  ObjectFix fix = make_fix(*pod, target);
  leave_to_author(fix.patch, *pod, *parsed.review.object, config_.policy);
  if (fix.patch.empty() && fix.why_no_spec_os.empty()) return fix;
  const std::string sign = find_patch_sign(*pod, *parsed.review.object);
  if (sign.empty()) return fix;
  return {.why_unchanged = "it is a patch (" + sign + "); fix the output of kubectl kustomize"};
}

ObjectFix ManifestChecker::make_fix(const Pod& pod, const Target& target) const {
  ObjectFix fix;
  const bool has_spec_os = pod.os_name == to_string(Os::windows);
  const bool may_set_os = config_.policy.set_os && !pod.os_name && target.os == Os::windows;
  std::string obstacle;
  if (may_set_os) obstacle = find_obstacle_to_spec_os(pod, policy_);
  if (may_set_os && obstacle.empty()) {
    fix.patch = make_placement_patch(pod, target, config_.policy, Placement::full);
    std::ranges::move(make_spec_os_patch(pod, policy_), std::back_inserter(fix.patch));
    return fix;
  }
  if (may_set_os) {
    fix.why_no_spec_os = pod.spec_path().to_string() +
                         ".os.name is not set: the API server would refuse " + obstacle +
                         " beside it";
  }
  const Policy& policy = has_spec_os ? policy_beside_spec_os_ : policy_without_spec_os_;
  fix.patch = policy.make_patch(pod, target, Placement::full);
  return fix;
}

server::ParsedReview ManifestChecker::read_review(const Subject& subject) {
  return subject.is_changed() ? parse_review(subject, subject.text())
                              : make_review(subject, subject.given());
}

server::ParsedReview ManifestChecker::parse_review(const Subject& subject, std::string text) {
  text.reserve(text.size() + simdjson::SIMDJSON_PADDING);
  return make_review(subject, parser_.parse(text.data(), text.size(), false));
}

std::optional<Pod> ManifestChecker::read_pod_of(const Subject& subject) {
  return pod_in(read_review(subject), subject);
}

std::optional<Pod> ManifestChecker::pod_in(const server::ParsedReview& parsed,
                                           const Subject& subject) const {
  const PodKind* const kind = subject.pod_kind();
  if (kind == nullptr || parsed.bad_request || !parsed.review.object) return std::nullopt;
  return read_pod(*parsed.review.object, *kind, config_.policy.target.windows_labels);
}

Target ManifestChecker::target_of(const Pod& pod) const {
  return find_target(pod, config_.policy.target, default_os_);
}

server::Admission ManifestChecker::admit(const server::Review& review, server::Hook hook) const {
  return server::admit(review, find_route(hook, default_os_), policy_, config_.exempt);
}

}  // namespace winadmit::cli
