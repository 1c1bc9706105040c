#include "cli/judge/host_process.hpp"

#include <optional>
#include <string_view>

#include "cli/judge/check_advice.hpp"

namespace winadmit::cli {
namespace {

/// The first release in which the feature gate is on (KEP-1981).
constexpr Version kHostProcessBeta{1, 23};

struct Containers {
  bool have_host_process = false;
  bool have_contradiction = false;
  std::optional<FieldPath> first_other;  // that is no HostProcess container
};

/// Reads all containers, and reports each that contradicts the pod.
Containers read_containers(const Pod& pod, FindingSink& findings) {
  Containers read;
  const std::optional<bool> of_pod = pod.security_context.host_process;
  for_each_container(pod, [&](const Container& container) {
    FieldPath path = container.path(pod);
    const std::optional<bool> own = own_security_context(container.object).host_process;
    const bool is_host_process = own.value_or(of_pod.value_or(false));
    read.have_host_process |= is_host_process;
    if (!is_host_process && !read.first_other) read.first_other = path;
    if (!own || !of_pod || *own == *of_pod) return;
    read.have_contradiction = true;
    for (const std::string_view member : {"securityContext", "windowsOptions", "hostProcess"}) {
      path.enter(member);
    }
    add_warning(
        kAdviceHostProcess, path,
        *own ? "is true, but false in the securityContext of the pod, which the API server refuses"
             : "is false, but true in the securityContext of the pod, which the API server refuses",
        findings);
  });
  return read;
}

}  // namespace

void advise_on_host_process(const Pod& pod, Version kubernetes, FindingSink& findings) {
  if (!pod.spec || !check_advice_kind(kAdviceHostProcess).versions.contains(kubernetes)) return;
  const Containers containers = read_containers(pod, findings);
  if (!containers.have_host_process) return;
  if (kubernetes < kHostProcessBeta) {
    add_warning(
        kAdviceHostProcess, pod.spec_path(),
        "has HostProcess containers, which the API server refuses in this release unless the "
        "feature gate WindowsHostProcessContainers is on",
        findings, "turn the gate on, or use Kubernetes 1.23 or newer");
  }
  if (containers.first_other && !containers.have_contradiction) {
    add_warning(
        kAdviceHostProcess, *containers.first_other,
        "is not a HostProcess container, but others of the pod are, and the API server refuses "
        "such a pod",
        findings);
  }
  if (member<bool>(*pod.spec, "hostNetwork").value_or(false)) return;
  FieldPath path = pod.spec_path();
  path.enter("hostNetwork");
  add_warning(kAdviceHostProcess, path,
              "is not true, which the API server requires of a pod with HostProcess containers",
              findings);
}

}  // namespace winadmit::cli
