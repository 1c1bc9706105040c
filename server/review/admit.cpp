#include "server/review/admit.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "policy/json/text.hpp"
#include "server/review/warnings.hpp"

namespace winadmit::server {
namespace {

/// Subresources that cannot change a pod spec. Only what is listed is skipped: an unknown one is
/// judged, so that a new Kubernetes is safe.
constexpr std::array<std::string_view, 9> kHarmlessSubresources = {
    "attach", "binding", "eviction", "exec", "log", "portforward", "proxy", "scale", "status"};

/// Subresources of pods that change a running pod, whose OS is settled.
bool keeps_os(std::string_view subresource) {
  return subresource == "ephemeralcontainers" || subresource == "resize";
}

bool contains(const std::vector<std::string>& list, std::string_view text) {
  return std::ranges::find(list, text) != list.end();
}

bool in_group(const Review& review, std::string_view wanted) {
  if (!review.groups) return false;
  return std::any_of(review.groups->begin(), review.groups->end(), [&](Json entry) {
    std::string_view group;
    return entry.get(group) == simdjson::SUCCESS && group == wanted;
  });
}

bool is_exempt(const Review& review, const Exemptions& exempt) {
  return contains(exempt.namespaces, review.name_space) || contains(exempt.users, review.user) ||
         std::ranges::any_of(exempt.groups,
                             [&](const std::string& group) { return in_group(review, group); });
}

/// Tells of the findings of an object: those that the old object had are warnings.
class Forgiving final : public FindingSink {
 public:
  Forgiving(FindingSink& to, const FindingSet& old) : to_(to), old_(old) {}

  void add(const FindingView& hit) override {
    const bool is_old = old_.contains(hit);
    has_new_ |= !is_old;
    FindingView told = hit;
    if (is_old && hit.action == Action::deny) told.action = Action::warn;
    to_.add(told);
  }

  bool has_new() const { return has_new_; }

 private:
  FindingSink& to_;
  const FindingSet& old_;
  bool has_new_ = false;
};

/// Tells of findings as warnings.
class OnlyWarning final : public FindingSink {
 public:
  explicit OnlyWarning(FindingSink& to) : to_(to) {}

  void add(const FindingView& hit) override {
    FindingView told = hit;
    told.action = Action::warn;
    to_.add(told);
  }

 private:
  FindingSink& to_;
};

bool same_content(const std::optional<JsonObject>& a, const std::optional<JsonObject>& b) {
  if (!a || !b) return !a && !b;
  return hash_of(*a, Lists::ordered) == hash_of(*b, Lists::ordered);
}

/// Whether two versions of an object hold the same pod, status and bookkeeping apart.
bool same_pod(const Pod& a, const Pod& b) {
  return same_content(a.spec, b.spec) && same_content(a.annotations, b.annotations);
}

/// The admission of one pod or template, on either hook.
class PodAdmitter {
 public:
  PodAdmitter(const Review& review, const Route& route, const Policy& policy, const PodKind& kind)
      : review_(review), route_(route), policy_(policy), pod_(read_pod(*review.object, kind)) {
    if (is_update() && review.old_object) old_pod_ = read_pod(*review.old_object, kind);
    if (old_pod_) old_target_ = find_target(*old_pod_, policy.settings().target, route.default_os);
    admission_.target = old_pod_ && keeps_os(review.subresource)
                            ? old_target_
                            : find_target(pod_, policy.settings().target, route.default_os);
  }

  Admission admit(const Exemptions& exempt) {
    if (pod_.runtime_class && contains(exempt.runtime_classes, *pod_.runtime_class)) {
      admission_.decision = Decision::exempt;
    } else if (is_mirror_pod(pod_, in_group(review_, "system:nodes"))) {
      admission_.decision = Decision::skipped;
    } else if (route_.hook == Hook::mutate) {
      mutate();
    } else {
      validate();
    }
    return std::move(admission_);
  }

 private:
  bool is_update() const { return review_.operation == "UPDATE"; }
  const Settings& settings() const { return policy_.settings(); }
  const Target& target() const { return admission_.target; }

  void refuse_as_malformed(const Problems& problems) {
    Target target = std::move(admission_.target);
    admission_ = refuse_malformed(
        {BadRequestReason::bad_object, "request.object is malformed: " + problems.line()});
    admission_.target = std::move(target);
  }

  // --- /mutate

  void mutate() {
    if (!pod_.problems.empty() && (target().os != Os::linux || pod_.problems.has_duplicates())) {
      return refuse_as_malformed(pod_.problems);
    }
    admission_.response.patch = patch();
    if (!admission_.response.patch.empty()) admission_.decision = Decision::patched;
  }

  Patch patch() const {
    if (pod_.kind->is_daemon_set()) return daemon_set_patch();
    if (!pod_.kind->is_pod() || !review_.subresource.empty()) return {};
    if (!is_update()) {
      // A DaemonSet's controller has picked the node: a selector would only get in its way.
      const auto what = pod_.is_owned_by_daemon_set ? Placement::tolerations_only : Placement::full;
      return policy_.make_patch(pod_, target(), what);
    }
    const bool os_changed = old_pod_ && old_target_.os != target().os;
    return os_changed
               ? make_placement_patch(pod_, target(), settings(), Placement::tolerations_only)
               : Patch{};
  }

  /// The controller picks nodes from its own template, so that is what must be placed. On UPDATE
  /// only where a rollout comes anyway, or where a full replace would lose what was placed.
  Patch daemon_set_patch() const {
    if (!settings().place_daemon_sets) return {};
    if (old_pod_ && template_unchanged() && !was_placed()) return {};
    return policy_.make_patch(pod_, target(), Placement::full);
  }

  bool template_unchanged() const {
    const auto pod_template = [](const Pod& pod) { return std::optional(pod.object); };
    return old_pod_->has_spec && same_content(pod_template(pod_), pod_template(*old_pod_));
  }

  bool was_placed() const {
    return old_target_.os == target().os &&
           make_placement_patch(*old_pod_, old_target_, settings(), Placement::full).empty();
  }

  // --- /validate

  void validate() {
    FindingCollector findings;
    const Problems problems = judge(pod_, target(), findings);
    if (!problems.empty()) return refuse_as_malformed(problems);
    if (findings.total() == 0) return;
    if (!old_pod_ || old_target_.os != target().os) return answer(findings.extract());
    judge_update(findings.total());
  }

  /// What was admitted before keeps working: its findings are warnings, and where nothing changed
  /// nothing is said.
  void judge_update(std::size_t expected) {
    FindingSet old(expected);
    judge(*old_pod_, old_target_, old);
    FindingCollector findings;
    Forgiving forgiving(findings, old);
    judge(pod_, target(), forgiving);
    if (forgiving.has_new() || !same_pod(pod_, *old_pod_)) answer(findings.extract());
  }

  Problems judge(const Pod& pod, const Target& pod_target, FindingSink& findings) const {
    if (pod.kind->is_pod() || settings().workloads != Action::warn) {
      return policy_.validate(pod, pod_target, findings);
    }
    OnlyWarning warnings(findings);
    return policy_.validate(pod, pod_target, warnings);
  }

  void answer(Findings found) {
    AdmissionResponse& response = admission_.response;
    admission_.decision = Decision::warned;
    if (route_.mode == Mode::audit) {
      response.audit_annotations = to_audit_annotations(found);
    } else if (route_.mode == Mode::warn || found.denials == 0) {
      response.warnings = to_warnings(found);
    } else {
      admission_.decision = Decision::denied;
      response.allowed = false;
      response.code = 403;
      response.reason = "Forbidden";
      response.message = refusal_message(found);
    }
    admission_.found = std::move(found);
  }

  const Review& review_;
  const Route& route_;
  const Policy& policy_;
  Pod pod_;
  std::optional<Pod> old_pod_;
  Target old_target_;
  Admission admission_;
};

Admission bad_request(std::string what) {
  return refuse_malformed({BadRequestReason::bad_request, std::move(what)});
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
                const Exemptions& exempt) {
  if (review.operation == "DELETE" || review.operation == "CONNECT") {
    return allow(Decision::skipped);
  }
  if (review.operation != "CREATE" && review.operation != "UPDATE") {
    return bad_request("request.operation is \"" + std::string(cut(review.operation)) +
                       "\", not CREATE, UPDATE, DELETE or CONNECT");
  }
  if (std::ranges::find(kHarmlessSubresources, review.subresource) != kHarmlessSubresources.end()) {
    return allow(Decision::skipped);
  }
  if (review.kind.empty()) return bad_request("request.kind.kind is missing");
  const PodKind* pod_kind = find_pod_kind(review.kind, review.group);
  if (pod_kind == nullptr) return allow(Decision::skipped);
  if (is_exempt(review, exempt)) return allow(Decision::exempt);
  if (!review.object) return bad_request("request.object is missing");
  return PodAdmitter(review, route, policy, *pod_kind).admit(exempt);
}

}  // namespace winadmit::server
