#include "admission/admit.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "admission/finding_filters.hpp"
#include "admission/ignored_findings.hpp"
#include "admission/response_texts.hpp"
#include "policy/json/hash.hpp"
#include "policy/json/json.hpp"
#include "policy/judge/resize.hpp"
#include "policy/pod/pod.hpp"
#include "policy/rules/read_annotations.hpp"
#include "text/printable.hpp"

namespace winadmit::server {
namespace {

/// Of the annotations that count, in any order: for a pod those that the policy reads, for a
/// template all, because any other one makes new pods. Linear in their size.
std::uint64_t hash_of_annotations(const Pod& pod) {
  std::uint64_t sum = 0;
  if (!pod.annotations) return sum;
  for (const auto [key, value] : *pod.annotations) {
    if (pod.kind->is_pod() && !is_judged_annotation(key)) continue;
    sum += Hasher().add(key).add(hash_of(value, ListOrder::significant)).value();
  }
  return sum;
}

/// Whether both are absent, or equal in any order of their keys. Linear in their size.
bool is_same_content(const std::optional<JsonObject>& a, const std::optional<JsonObject>& b) {
  if (!a || !b) return !a && !b;
  return hash_of(*a, ListOrder::significant) == hash_of(*b, ListOrder::significant);
}

/// Compares what the policy can read, and what makes new pods; not the status or other metadata.
/// Linear in the size of the pods.
bool is_same_pod(const Pod& a, const Pod& b) {
  return is_same_content(a.spec, b.spec) && a.os_label == b.os_label &&
         hash_of_annotations(a) == hash_of_annotations(b);
}

/// Subresources that cannot change a pod spec. An unknown subresource is judged: a new Kubernetes
/// release may add one that can.
constexpr auto kSkippedSubresources = std::to_array<std::string_view>(
    {"attach", "binding", "eviction", "exec", "log", "portforward", "proxy", "scale", "status"});

/// Subresources that change a running pod. Its OS cannot change any more.
bool keeps_os(std::string_view subresource) {
  return subresource == "ephemeralcontainers" || subresource == "resize";
}

bool contains(const auto& list, std::string_view text) {
  return std::ranges::find(list, text) != list.end();
}

bool is_in_group(const Review& review, std::string_view wanted) {
  if (!review.groups) return false;
  return std::any_of(review.groups->begin(), review.groups->end(), [&](JsonValue entry) {
    std::string_view group;
    return entry.get(group) == simdjson::SUCCESS && group == wanted;
  });
}

bool is_exempt(const Review& review, const Exemptions& exempt) {
  return contains(exempt.namespaces, review.name_space) || contains(exempt.users, review.user) ||
         std::ranges::any_of(exempt.groups,
                             [&](const std::string& group) { return is_in_group(review, group); });
}

/// Admits one pod or pod template, on either hook.
class PodAdmitter {
 public:
  PodAdmitter(const Review& review, const Route& route, const Policy& policy,
              const Exemptions& exempt, std::chrono::sys_days today, const PodKind& kind,
              std::size_t max_findings)
      : review_(review),
        route_(route),
        policy_(policy),
        exempt_(exempt),
        today_(today),
        max_findings_(max_findings),
        pod_(read_pod(*review.object, kind, policy.settings().target.windows_labels)) {
    const TargetSettings& signals = policy.settings().target;
    if (is_update() && review.old_object) {
      old_pod_ = read_pod(*review.old_object, kind, signals.windows_labels);
      old_target_ = find_target(*old_pod_, signals, route.default_os);
    }
    admission_.target = old_pod_ && keeps_os(review.subresource)
                            ? old_target_
                            : find_target(pod_, signals, route.default_os);
  }

  Admission admit() {
    if (pod_.runtime_class && contains(exempt_.runtime_classes, *pod_.runtime_class)) {
      admission_.decision = Decision::exempt;
    } else if (is_mirror_pod(pod_, is_in_group(review_, kNodesGroup))) {
      admission_.decision = Decision::skipped;
    } else if (route_.hook == Hook::mutate) {
      mutate();
    } else {
      validate();
      if (!ignored_.empty()) admission_.response.audit_annotations["ignored"] = ignored_;
    }
    return std::move(admission_);
  }

 private:
  bool is_update() const { return review_.operation == "UPDATE"; }
  const Settings& settings() const { return policy_.settings(); }
  const Target& target() const { return admission_.target; }

  void refuse_bad_object(const FieldErrors& errors) {
    Target target = std::move(admission_.target);
    admission_ = refuse_malformed(
        {BadRequestReason::bad_object, "request.object is malformed: " + errors.message()});
    admission_.target = std::move(target);
  }

  // --- /mutate

  void mutate() {
    if (route_.mode == Mode::audit) return audit_default_os();
    if (has_errors_to_report(pod_, target())) return refuse_bad_object(pod_.errors);
    admission_.response.patch = patch();
    if (!admission_.response.patch.empty()) admission_.decision = Decision::patched;
  }

  /// Tells what the default OS alone would change. A pod with a signal for Windows is placed by
  /// another path.
  void audit_default_os() {
    if (!target().windows_signals.empty() || !pod_.errors.empty()) return;
    const Patch changes = patch();
    if (changes.empty()) return;
    std::string& text = admission_.default_os_change;
    text = default_os_change(
        changes, pod_.kind->is_daemon_set() && pod_.tolerations.tolerates_every_taint());
    admission_.response.audit_annotations["default-os"] = text;
    admission_.decision = Decision::warned;
  }

  Patch patch() const {
    if (pod_.kind->is_daemon_set()) return daemon_set_patch();
    if (!pod_.kind->is_pod() || !review_.subresource.empty()) return {};
    if (!is_update()) return policy_.make_patch(pod_, target());
    if (!old_pod_) return {};
    return policy_.make_update_patch(pod_, target(), *old_pod_, old_target_, *review_.old_object);
  }

  /// The DaemonSet controller selects nodes by the template, so the template is placed. On UPDATE
  /// only if the template changes anyway: a patch to an unchanged template would start a rollout.
  Patch daemon_set_patch() const {
    if (!settings().place_daemon_sets) return {};
    if (!old_pod_) return policy_.make_patch(pod_, target());
    if (template_unchanged()) return {};
    return policy_.make_template_update_patch(pod_, target(), *old_pod_);
  }

  bool template_unchanged() const {
    return old_pod_->spec && is_same_content(pod_.pod_template, old_pod_->pod_template);
  }

  // --- /validate

  void validate() {
    FindingCollector findings(max_findings_);
    const FieldErrors errors = judge_request(findings);
    if (!errors.empty()) return refuse_bad_object(errors);
    if (findings.total() == 0) return;
    if (!old_pod_ || old_target_.os != target().os) return respond(findings.extract());
    validate_update(findings.total());
  }

  /// What was admitted before keeps working: old findings are warnings, and there are none at all
  /// if the pod has not changed. The new pod is judged a second time, against the old findings.
  /// Most updates have no finding and do not get here.
  void validate_update(std::size_t findings_of_new_pod) {
    if (is_same_pod(pod_, *old_pod_)) return;
    FindingSet old(findings_of_new_pod);
    judge(*old_pod_, old_target_, old);
    FindingCollector findings(max_findings_);
    OldDenialsAsWarnings sink(findings, old);
    judge_request(sink);
    respond(findings.extract());
  }

  /// Judges the new pod, and what the request changes in the old one.
  FieldErrors judge_request(FindingSink& findings) {
    IgnoredIds ids;
    if (exempt_.by_annotation) ids.add_annotation(pod_);
    ids.add_exempt(exempt_, review_.name_space, today_);
    if (ids.empty()) return judge_new(findings);
    IgnoringSink sink(findings, ids);
    FieldErrors errors = judge_new(sink);
    ignored_ = sink.ignored();
    admission_.accepted = sink.count();
    return errors;
  }

  FieldErrors judge_new(FindingSink& findings) const {
    FieldErrors errors = judge(pod_, target(), findings);
    if (old_pod_ && review_.subresource == "resize" && target().os == Os::windows) {
      judge_resize(*old_pod_, pod_, settings(), findings);
    }
    return errors;
  }

  FieldErrors judge(const Pod& pod, const Target& pod_target, FindingSink& findings) const {
    if (route_.mode != Mode::audit) return judge_by_kind(pod, pod_target, findings);
    WithoutUnplacedAdvice sink(findings);
    return judge_by_kind(pod, pod_target, sink);
  }

  /// Denials of a template are warnings, unless the settings say more: its pods are refused.
  FieldErrors judge_by_kind(const Pod& pod, const Target& pod_target, FindingSink& findings) const {
    if (pod.kind->is_pod() || settings().workloads != Action::warn) {
      return policy_.validate(pod, pod_target, findings);
    }
    AllAsWarnings warnings(findings);
    return policy_.validate(pod, pod_target, warnings);
  }

  void respond(Findings findings) {
    AdmissionResponse& response = admission_.response;
    admission_.decision = Decision::warned;
    if (route_.mode == Mode::audit) {
      response.audit_annotations = to_audit_annotations(findings);
    } else if (route_.mode == Mode::warn || findings.denials == 0) {
      response.warnings = to_warnings(findings);
    } else {
      admission_.decision = Decision::denied;
      response.allowed = false;
      response.code = 403;
      response.reason = "Forbidden";
      response.message = refusal_message(findings);
    }
    admission_.found = std::move(findings);
  }

  const Review& review_;
  const Route& route_;
  const Policy& policy_;
  const Exemptions& exempt_;
  std::chrono::sys_days today_;
  std::size_t max_findings_;
  Pod pod_;
  std::optional<Pod> old_pod_;
  Target old_target_;
  std::string ignored_;  // the ids of the findings that do not count
  Admission admission_;
};

Admission refuse_bad_request(std::string message) {
  return refuse_malformed({BadRequestReason::bad_request, std::move(message)});
}

Admission allow(Decision decision) {
  Admission admission;
  admission.decision = decision;
  return admission;
}

}  // namespace

Admission refuse_malformed(BadRequest bad_request) {
  Admission admission;
  admission.decision = Decision::malformed;
  admission.response.allowed = false;
  admission.response.code = 400;
  admission.response.reason = "BadRequest";
  admission.response.message = bad_request.message;
  admission.bad_request = std::move(bad_request);
  return admission;
}

Admission admit(const Review& review, const Route& route, const Policy& policy,
                const Exemptions& exempt, std::chrono::sys_days today, std::size_t max_findings) {
  if (review.operation == "DELETE" || review.operation == "CONNECT") {
    return allow(Decision::skipped);
  }
  if (review.operation != "CREATE" && review.operation != "UPDATE") {
    return refuse_bad_request("request.operation must be CREATE, UPDATE, DELETE or CONNECT, not " +
                              in_quotes(review.operation));
  }
  if (contains(kSkippedSubresources, review.subresource)) return allow(Decision::skipped);
  if (review.kind.empty()) return refuse_bad_request("request.kind.kind is missing");
  const PodKind* pod_kind = find_pod_kind(review.kind, review.group);
  if (pod_kind == nullptr) return allow(Decision::skipped);
  if (is_exempt(review, exempt)) return allow(Decision::exempt);
  if (!review.object) return refuse_bad_request("request.object is missing");
  return PodAdmitter(review, route, policy, exempt, today, *pod_kind, max_findings).admit();
}

}  // namespace winadmit::server
