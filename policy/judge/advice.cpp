#include "policy/judge/advice.hpp"

#include <algorithm>
#include <array>

#include "policy/json/text.hpp"
#include "policy/judge/place.hpp"
#include "policy/pod/builds.hpp"
#include "policy/pod/image.hpp"
#include "policy/pod/security_context.hpp"

namespace winadmit {
namespace {

constexpr std::string_view kNodeSupport =
    "KEP-116 Windows node support, \"Ensuring OS-specific workloads land on appropriate container "
    "host\"";

constexpr std::array<Advice, 6> kAdvices = {{
    {kOsConflict, "its scheduling signals name both Linux and Windows",
     "the pod can run on no node; let every signal name one OS",
     "k8s.io/kubernetes pkg/kubelet/lifecycle/predicate.go, rejectPodAdmissionBasedOnOSField"},
    {kAdviceHint, "a Windows toleration or image, but nothing that sends the pod to Windows",
     "it may land on a Linux node; set nodeSelector kubernetes.io/os: windows", kNodeSupport},
    {kAdviceUnplaced, "a Windows pod without the OS nodeSelector or the toleration of the taint",
     "it may stay Pending or land on a Linux node; let winadmit's mutating webhook see it, or set "
     "them yourself",
     kNodeSupport},
    {kAdviceWindowsOptions, "windowsOptions on a Linux pod", "they have no effect; remove them",
     "https://kubernetes.io/docs/tasks/configure-pod-container/configure-runasusername/"},
    {kAdviceImageBuild, "an image of a Windows build that the pod's nodes do not run",
     "choose the image's tag or the nodes so that the builds agree",
     "KEP-116 Windows node support, container compatibility table; "
     "https://learn.microsoft.com/virtualization/windowscontainers/deploy-containers/"
     "version-compatibility"},
    {kAdviceLinuxSidecar, "a sidecar that exists for Linux only in a Windows pod",
     "turn its injection off for this pod",
     "https://istio.io/latest/docs/ops/deployment/platform-requirements/"},
}};

class Advisor {
 public:
  Advisor(const Pod& pod, const Target& target, const Settings& settings, FindingSink& findings)
      : pod_(pod), target_(target), settings_(settings), findings_(findings) {}

  void conflict() {
    std::string text = "says both linux (" + names(target_.linux) + ") and windows (" +
                       names(target_.windows) +
                       "): no node can run the pod; let every signal "
                       "name one OS";
    add(kOsConflict, Action::deny, pod_.spec_path(), text, std::nullopt);
  }

  void hints() {
    const auto& by_build = settings_.tolerations_by_build;
    const bool tolerates_windows = pod_.tolerations.name_any(settings_.tolerations) ||
                                   std::ranges::any_of(by_build, [&](const auto& each) {
                                     return pod_.tolerations.name_any(each.second);
                                   });
    if (tolerates_windows) return hint("tolerations", "tolerates Windows nodes");
    bool windows_image = false;
    each_container(pod_, [&](std::size_t, std::size_t, Json, JsonObject container) {
      windows_image |= is_windows_only(parse_image(text_member(container, "image")));
    });
    if (windows_image) hint("containers", "has a Windows image");
  }

  void unplaced() {
    Missing missing = find_missing(pod_, target_, settings_, PlaceWhat::everything);
    if (missing.selector && pod_.is_owned_by_daemon_set) missing.selector = false;
    if (!missing) return;
    std::string lacking;
    if (missing.selector)
      lacking += "nodeSelector " + std::string(settings_.os_label()) + ": windows";
    if (missing.selector && !missing.tolerations.empty()) lacking += " and ";
    if (!missing.tolerations.empty()) lacking += "the toleration of " + taints(missing.tolerations);
    std::string text = "is not placed on Windows nodes: it lacks " + lacking;
    text += "; it may stay Pending or land on a Linux node";
    add(kAdviceUnplaced, Action::warn, pod_.spec_path(), text, std::nullopt);
  }

  void windows_options_on_linux() {
    if (!target_.windows.has(Signal::windows_options)) return;
    FieldPath path = pod_.spec_path();
    add(kAdviceWindowsOptions, Action::warn, path,
        "has windowsOptions, which have no effect on a linux pod; remove them", std::nullopt);
  }

  /// Images whose build none of the pod's nodes can run, and Linux-only sidecars.
  void containers() {
    const std::vector<const WindowsBuild*> hosts = host_builds();
    each_container(
        pod_, [&](std::size_t list, std::size_t index, Json entry, JsonObject container) {
          const auto name = text_member(container, "name");
          const Image image = parse_image(text_member(container, "image"));
          const auto path = [&] {
            FieldPath here = pod_.spec_path();
            here.enter(kContainerLists[list]);
            here.enter(index, entry);
            return here;
          };
          if (const auto sidecar = linux_only_sidecar(name, image); !sidecar.empty()) {
            add(kAdviceLinuxSidecar, Action::warn, path(),
                "container \"" + std::string(cut(name)) + "\" is " + std::string(sidecar) +
                    ", which exists for Linux only; turn its injection off for this pod",
                value_of(container, "image"));
            return;
          }
          if (hosts.empty()) return;
          const WindowsBuild* build = build_of_image(image);
          if (build == nullptr) return;
          const bool runs = std::ranges::any_of(
              hosts, [&](const WindowsBuild* host) { return runs_on(*build, *host); });
          if (runs || is_host_process(pod_, security_context_of(container))) return;
          FieldPath at_image = path();
          at_image.enter("image");
          add(kAdviceImageBuild, Action::warn, at_image,
              "is of " + std::string(build->product) + ", but the pod is sent to nodes of " +
                  std::string(hosts.front()->product) +
                  "; choose the image's tag or the nodes so that the builds agree",
              value_of(container, "image"));
        });
  }

 private:
  static std::string names(Signals signals) {
    std::string text;
    signals.each([&](Signal signal) {
      if (!text.empty()) text += ", ";
      text += to_string(signal);
    });
    return text;
  }

  static std::optional<Json> value_of(JsonObject object, std::string_view key) {
    Json value;
    if (object.at_key(key).get(value) != simdjson::SUCCESS) return std::nullopt;
    return value;
  }

  /// "os=Win1809:NoSchedule", as kubectl writes taints.
  static std::string taints(const std::vector<const Toleration*>& tolerations) {
    std::string text;
    for (const Toleration* taint : tolerations) {
      if (!text.empty()) text += ", ";
      text += taint->key;
      if (!taint->value.empty()) text += '=' + taint->value;
      if (!taint->effect.empty()) text += ':' + taint->effect;
    }
    return text;
  }

  void hint(std::string_view member, std::string_view what) {
    FieldPath path = pod_.spec_path();
    path.enter(member);
    std::string text(what);
    text += ", but nothing sends the pod to them; set nodeSelector ";
    text += settings_.os_label();
    text += ": windows if it is for Windows";
    add(kAdviceHint, Action::warn, path, text, std::nullopt);
  }

  /// The builds of the nodes that the pod can land on, each once, where it tells: by selector, else
  /// by the taints that it tolerates by name.
  std::vector<const WindowsBuild*> host_builds() const {
    std::vector<const WindowsBuild*> hosts;
    const auto add_host = [&](std::string_view label) {
      const WindowsBuild* build = find_build(label);
      if (build != nullptr && std::ranges::find(hosts, build) == hosts.end()) {
        hosts.push_back(build);
      }
    };
    for (const std::string_view build : target_.builds) add_host(build);
    if (!target_.builds.empty()) return hosts;
    for (const auto& [build, taints] : settings_.tolerations_by_build) {
      if (pod_.tolerations.name_any(taints)) add_host(build);
    }
    return hosts;
  }

  void add(std::string_view id, Action action, const FieldPath& path, std::string_view text,
           std::optional<Json> value) {
    if (const auto set = settings_.actions.find(id); set != settings_.actions.end()) {
      action = set->second;
    }
    if (action == Action::allow) return;
    findings_.add({.id = id, .action = action, .path = path, .text = text, .value = value});
  }

  const Pod& pod_;
  const Target& target_;
  const Settings& settings_;
  FindingSink& findings_;
};

}  // namespace

std::span<const Advice> advices() { return kAdvices; }

void advise(const Pod& pod, const Target& target, const Settings& settings, bool placed_by_us,
            FindingSink& findings) {
  Advisor advisor(pod, target, settings, findings);
  switch (target.os) {
    case Os::conflict:
      advisor.conflict();
      break;
    case Os::none:
      advisor.hints();
      break;
    case Os::linux:
      advisor.windows_options_on_linux();
      if (target.linux.empty()) advisor.hints();
      break;
    case Os::windows:
      if (placed_by_us) advisor.unplaced();
      advisor.containers();
      break;
  }
}

}  // namespace winadmit
