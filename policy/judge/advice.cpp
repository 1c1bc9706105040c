#include "policy/judge/advice.hpp"

#include <algorithm>
#include <optional>

#include "policy/judge/advice_kinds.hpp"
#include "policy/judge/advice_sink.hpp"
#include "policy/judge/container_advice.hpp"
#include "policy/judge/placement.hpp"
#include "policy/judge/validate.hpp"
#include "policy/pod/image.hpp"
#include "policy/pod/security_context.hpp"

namespace winadmit {
namespace {

std::string to_text(Signals signals, const Pod& pod) {
  std::string text;
  signals.for_each([&](Signal signal) {
    if (!text.empty()) text += ", ";
    if (signal == Signal::label_node_selector) {
      text.append("nodeSelector[").append(pod.selected_labels.windows_label).append("]");
    } else {
      text += to_string(signal);
    }
  });
  return text;
}

/// "os=Win1809:NoSchedule", as kubectl writes taints.
std::string to_text(const std::vector<const Toleration*>& tolerations,
                    std::string_view separator = ", ") {
  std::string text;
  for (const Toleration* taint : tolerations) {
    if (!text.empty()) text += separator;
    text += taint->key;
    if (!taint->value.empty()) text += '=' + taint->value;
    if (!taint->effect.empty()) text += ':' + taint->effect;
  }
  return text;
}

/// The advice on one pod.
class PodAdvice {
 public:
  PodAdvice(const Pod& pod, const Target& target, const Settings& settings, AdviceSink& advice)
      : pod_(pod), target_(target), settings_(settings), advice_(advice) {}

  void advise_on_conflict() {
    advice_.add(kOsConflict, pod_.spec_path(),
                "names linux in " + to_text(target_.linux_signals, pod_) + " and windows in " +
                    to_text(target_.windows_signals, pod_) +
                    (settings_.kubernetes >= kPodOsVersion  // before, spec.os is not read
                         ? ", so no node can run the pod"
                         : ", so it is unclear which nodes are to run the pod"));
  }

  void advise_on_hints() {
    if (may_be_sent_to_windows(pod_)) return;
    const auto& by_build = settings_.tolerations_by_build;
    const bool tolerates_windows = pod_.tolerations.tolerates_any_by_name(settings_.tolerations) ||
                                   std::ranges::any_of(by_build, [&](const auto& each) {
                                     return pod_.tolerations.tolerates_any_by_name(each.second);
                                   });
    if (tolerates_windows) {
      FieldPath path = pod_.spec_path();
      path.enter("tolerations");
      return advice_.add(kAdviceHint, path, kWindowsTaintHint);
    }
    if (const auto image = find_image(pod_, is_windows_only)) {
      advice_.add(kAdviceHint, *image, kWindowsImageHint);
    }
  }

  void advise_on_placement() {
    MissingPlacement missing = find_missing_placement(pod_, target_, settings_);
    if (target_.excludes_linux() || names_node(pod_)) missing.selector = false;
    const bool are_choices = are_alternatives(missing.tolerations);
    // On a cluster with one of several taints, a pod that tolerates one of them may be right.
    const bool has_one = are_choices && missing.tolerations.size() < settings_.tolerations.size();
    std::erase_if(missing.tolerations,
                  [&](const Toleration* each) { return has_one || !keeps_away(*each); });
    if (missing) advice_.add(kAdviceUnplaced, pod_.spec_path(), reason_of(missing, are_choices));
  }

  /// A pod that is created once runs somewhere, but a DaemonSet is for all nodes.
  void advise_on_daemon_set_builds() {
    if (!pod_.kind->is_daemon_set()) return;
    const auto missed = find_missed_taints(pod_, target_, settings_);
    if (missed.empty()) return;
    advice_.add(
        kAdviceDaemonSetBuilds, pod_.spec_path(),
        "names no Windows build and runs on no node with the taint " + to_text(missed, " or "));
  }

  void advise_on_windows_options() {
    if (!target_.windows_signals.has(Signal::windows_options)) return;
    const std::string_view reason =
        pod_.os_name == to_string(Os::linux) && settings_.kubernetes >= kPodOsVersion
            ? "are refused by the API server beside spec.os.name linux"
            : "have no effect on a linux pod";
    if (pod_.security_context.has_windows_options) {
      advice_.add(kAdviceWindowsOptions, windows_options_in(pod_.spec_path()), reason);
    }
    for_each_container(pod_, [&](const Container& container) {
      if (!own_security_context(container.object).has_windows_options) return;
      advice_.add(kAdviceWindowsOptions, windows_options_in(container.path(pod_)), reason);
    });
  }

  /// The kubelet compares the label with the OS of its node
  /// (k8s.io/kubernetes pkg/kubelet/lifecycle/predicate.go, rejectPodAdmissionBasedOnOSSelector).
  void advise_on_os_label() {
    if (!pod_.os_label) return;
    const bool says_windows = pod_.os_label == to_string(Os::windows);
    const bool is_windows = target_.os == Os::windows;
    if (says_windows == is_windows) return;
    if (!is_windows && target_.linux_signals.empty() && may_be_sent_to_windows(pod_)) return;
    FieldPath path = pod_.metadata_path();
    path.enter("labels");
    path.enter_key(kOsLabel);
    advice_.add(kAdviceOsLabel, path,
                says_windows
                    ? "is windows and no signal sends the pod to a Windows node, so the kubelet of "
                      "a Linux node refuses the pod"
                    : "is not windows, so the kubelet of a Windows node refuses the pod");
  }

  void advise_on_architecture() {
    FieldPath path = pod_.spec_path();
    static constexpr std::string_view kText =
        "asks for nodes of another architecture than amd64, which no Windows node has, so the pod "
        "would stay Pending";
    if (pod_.node_affinity.excludes_amd64) {
      path.enter("affinity");
      path.enter("nodeAffinity");
      return advice_.add(kAdviceArch, path, kText);
    }
    const auto is_other = [](std::optional<std::string_view> arch) {
      return arch.value_or("amd64") != "amd64";
    };
    const bool is_other_arch = is_other(pod_.selected_labels.arch);
    if (!is_other_arch && !is_other(pod_.selected_labels.beta_arch)) return;
    path.enter("nodeSelector");
    path.enter_key(is_other_arch ? kArchLabel : kBetaArchLabel);
    advice_.add(kAdviceArch, path, kText);
  }

 private:
  /// Whether a taint keeps the pod from its nodes. From the node that a pod names, only NoExecute
  /// does: the pod is evicted, and the kubelet refuses it since 1.22 (k8s.io/kubernetes
  /// pkg/kubelet/lifecycle/predicate.go). A toleration of every effect does not say which the taint
  /// has.
  bool keeps_away(const Toleration& taint) const {
    return is_assigned_to_node(pod_) ? taint.effect == kNoExecute : !is_only_avoided(taint);
  }

  std::string reason_of(const MissingPlacement& missing, bool are_choices) const {
    const std::string selector = "nodeSelector " + std::string(settings_.os_label()) + ": windows";
    if (is_assigned_to_node(pod_)) {
      return "lacks a toleration of " + taints_text(missing.tolerations, are_choices) +
             ", so its node refuses or evicts the pod if it has the taint";
    }
    // The kubelet of a Linux node refuses a pod with spec.os.name: windows.
    const bool is_refused_there = has_windows_spec_os(pod_, settings_.kubernetes);
    if (missing.tolerations.empty()) {
      return "lacks " + selector +
             (is_refused_there ? ", so the pod may get a Linux node, which refuses it"
                               : ", so the pod may run on a Linux node");
    }
    const std::string toleration =
        "a toleration of " + taints_text(missing.tolerations, are_choices);
    if (!missing.selector) {
      return "lacks " + toleration + ", so the pod stays Pending if Windows nodes are tainted";
    }
    return "lacks " + selector + " and " + toleration +
           (is_refused_there
                ? ", so the pod may stay Pending, or get a Linux node, which refuses it"
                : ", so the pod may stay Pending or run on a Linux node");
  }

  static std::string taints_text(const std::vector<const Toleration*>& taints, bool are_choices) {
    if (taints.size() == 1) return "the taint " + to_text(taints);
    if (!are_choices) return "the taints " + to_text(taints);
    return "the taint of Windows nodes, such as " + to_text({taints.front()});
  }

  /// Whether a pod needs one of the tolerations only. Those of a configured build are needed all.
  bool are_alternatives(const std::vector<const Toleration*>& tolerations) const {
    return settings_.tolerations_are_alternatives &&
           std::ranges::all_of(tolerations, [&](const Toleration* each) {
             return is_default_toleration(*each, settings_);
           });
  }

  static FieldPath windows_options_in(FieldPath holder) {
    holder.enter("securityContext");
    holder.enter("windowsOptions");
    return holder;
  }

  const Pod& pod_;
  const Target& target_;
  const Settings& settings_;
  AdviceSink& advice_;
};

}  // namespace

std::optional<FieldPath> find_image(const Pod& pod, bool (*is_wanted)(const Image&)) {
  std::optional<FieldPath> found;
  for_each_container(pod, [&](const Container& container) {
    if (found || !is_wanted(parse_image(string_member(container.object, "image")))) return;
    found = container.path(pod);
    found->enter("image");
  });
  return found;
}

bool may_be_sent_to_windows(const Pod& pod) {
  return !pod.runtime_class.value_or("").empty() || names_node(pod);
}

void Advisor::advise(const Pod& pod, const Target& target, bool placed_by_us,
                     FindingSink& findings) const {
  AdviceSink sink(settings_, findings);
  PodAdvice advice(pod, target, settings_, sink);
  switch (target.os) {
    case Os::conflict:
      advice.advise_on_conflict();
      break;
    case Os::none:
      advice.advise_on_hints();
      advice.advise_on_os_label();
      break;
    case Os::linux:
      advice.advise_on_windows_options();
      advice.advise_on_os_label();
      if (target.linux_signals.empty()) advice.advise_on_hints();
      break;
    case Os::windows:
      if (placed_by_us) advice.advise_on_placement();
      advice.advise_on_daemon_set_builds();
      advice.advise_on_os_label();
      advice.advise_on_architecture();
      advise_on_containers(pod, target, platform_, sink);
      break;
  }
}

}  // namespace winadmit
