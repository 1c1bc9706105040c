#include "cli/judge/check_advice.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace winadmit::cli {
namespace {

constexpr std::string_view kOsNameFields[] = {"spec.os.name", "spec.nodeSelector[kubernetes.io/os]",
                                              "spec.affinity.nodeAffinity"};

constexpr std::string_view kOsSelector[] = {"spec.nodeSelector[kubernetes.io/os]"};

constexpr std::string_view kHostProcessFields[] = {
    "spec.hostNetwork", "spec.securityContext.windowsOptions.hostProcess",
    "spec.containers[*].securityContext.windowsOptions.hostProcess",
    "spec.initContainers[*].securityContext.windowsOptions.hostProcess",
    "spec.ephemeralContainers[*].securityContext.windowsOptions.hostProcess"};

constexpr auto kCheckAdvice = std::to_array<AdviceKind>({
    {.id = kMalformedField,
     .action = Action::deny,
     .when = "a field that a rule reads, of a pod that does not ask for Linux, which is missing or "
             "of a wrong type, and a node selector, a toleration, windowsOptions or a stop signal "
             "that the API server refuses; `winadmit check` alone names it so: the webhooks refuse "
             "a request with the former as malformed, and leave the latter to the API server",
     .instead = "give it a type and a value that the Kubernetes API has for it",
     .source = "https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/"},
    {.id = kMisplacedField,
     .action = Action::deny,
     .when = "a field that places pods or is for Windows, such as nodeSelector and windowsOptions, "
             "or nearly one, where the Kubernetes API has no such field: it does nothing there; "
             "`winadmit check` alone names it, and `winadmit fix` leaves the object",
     .instead = "correct its name or its place",
     .source = "https://kubernetes.io/docs/reference/using-api/api-concepts/#field-validation"},
    {.id = kUnknownField,
     .action = Action::warn,
     .when = "another field that the Kubernetes API does not have at its place, in a pod or in a "
             "kind of Kubernetes that holds one; `winadmit check` alone names it",
     .instead = "correct its name or its place, or remove it",
     .source = "https://kubernetes.io/docs/reference/using-api/api-concepts/#field-validation"},
    {.id = kAdviceFieldRelease,
     .action = Action::warn,
     .when = "a field that other releases of Kubernetes have, and not the one that is checked for; "
             "`winadmit check` alone names it",
     .instead = "name the release of the cluster with --kubernetes-version, or remove the field",
     .source = "https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/"},
    {.id = kAdviceOsName,
     .action = Action::warn,
     .when = "a `spec.os.name` other than windows and linux, and windows or the label "
             "`kubernetes.io/os` in another letter case, such as Windows, in a nodeSelector or a "
             "required node affinity; `winadmit check` alone names it",
     .instead = "write windows or linux, or remove the field",
     .source = "https://kubernetes.io/docs/reference/labels-annotations-taints/#kubernetes-io-os",
     .fields = kOsNameFields},
    {.id = kAdviceHostProcess,
     .action = Action::warn,
     .when = "a pod with HostProcess containers that the API server refuses: without hostNetwork, "
             "with other containers too, or in 1.22, where it needs a feature gate; `winadmit "
             "check` alone names it",
     .instead =
         "set hostNetwork: true, and the same hostProcess for the pod and all its containers",
     .source = "https://kubernetes.io/docs/tasks/configure-pod-container/create-hostprocess-pod/"
               "#limitations",
     .versions = since(1, 22),
     .fields = kHostProcessFields},
    {.id = kAdviceLinuxUnpinned,
     .action = Action::warn,
     .when =
         "a pod that is for Linux by a field that Windows lacks, a Linux program, an image for "
         "Linux or spec.os.name, or a DaemonSet that tolerates every taint, without a selector "
         "for an OS; where the platform's Windows nodes may have no taint, or the default OS is "
         "linux; `winadmit check` alone names it",
     .instead = "set nodeSelector kubernetes.io/os: linux",
     .source = "docs/default-os.md",
     .fields = kOsSelector},
    {.id = kUnusedIgnore,
     .action = Action::warn,
     .when = "an annotation, a comment or an entry of .winadmit.yaml that ignores nothing in the "
             "manifests of `winadmit check`",
     .instead = "remove it, or correct what it names",
     .source = "docs/suppressions.md"},
});

static_assert(std::ranges::all_of(kCheckAdvice, is_valid));

}  // namespace

std::span<const AdviceKind> check_advice() { return kCheckAdvice; }

std::span<const AdviceKind> all_advice() {
  static const std::vector<AdviceKind> kAll = [] {
    std::vector<AdviceKind> all(advice_kinds().begin(), advice_kinds().end());
    all.insert(all.end(), check_advice().begin(), check_advice().end());
    return all;
  }();
  return kAll;
}

const AdviceKind& check_advice_kind(std::string_view id) { return find_kind(kCheckAdvice, id); }

void add_warning(std::string_view id, const FieldPath& path, std::string_view reason,
                 FindingSink& findings, std::string_view instead) {
  findings.add({.id = id,
                .action = Action::warn,
                .path = path,
                .reason = reason,
                .instead = instead.empty() ? find_kind(all_advice(), id).instead : instead});
}

}  // namespace winadmit::cli
