// A view of the pod in an object: the pod itself, or the template that a workload holds. The kinds
// that hold pods, and where, are known here and nowhere else.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "policy/json/field_path.hpp"
#include "policy/json/json.hpp"
#include "policy/pod/affinity.hpp"
#include "policy/pod/security_context.hpp"
#include "policy/pod/toleration.hpp"

namespace winadmit {

/// A kind that is, or holds, a pod.
struct PodKind {
  std::string_view kind;
  std::string_view resource;  // plural, as in URLs and webhook rules
  std::string_view group;     // "" is the core group
  /// Keys from the object to its pod template; empty for a pod.
  std::span<const std::string_view> template_path;
  bool is_pod() const { return template_path.empty(); }
  bool is_daemon_set() const;
};

/// Every kind that holds a pod (policy matrix, section 8).
std::span<const PodKind> pod_kinds();

/// By kind and API group; null for one that holds no pod. `extensions` served some of the kinds up
/// to 1.15; other projects have a Job or a Deployment of their own.
const PodKind* find_pod_kind(std::string_view kind, std::string_view group = {});

/// The three lists of containers.
inline constexpr std::array<std::string_view, 3> kContainerLists = {"containers", "initContainers",
                                                                    "ephemeralContainers"};
inline constexpr std::size_t kEphemeralList = 2;

/// What a nodeSelector says of the labels that tell an OS.
struct NodeLabels {
  std::optional<std::string_view> os;
  std::optional<std::string_view> beta_os;
  std::optional<std::string_view> windows_build;
};

/// What several parts of the policy read of one pod, found in one pass over its spec. Everything is
/// borrowed from the parsed document.
struct Pod {
  const PodKind* kind = nullptr;
  JsonObject pod_template;  // holds metadata and spec: the object itself or a workload's template
  std::optional<JsonObject> metadata;
  std::optional<JsonObject> annotations;
  bool is_owned_by_daemon_set = false;  // whose controller has picked the node already
  JsonObject spec;                      // valid only if has_spec
  bool has_spec = false;
  std::optional<std::string_view> os_name;  // spec.os.name
  std::optional<JsonObject> node_selector;
  NodeLabels selected;
  NodeAffinity node_affinity;
  bool has_tolerations = false;
  PodTolerations tolerations;
  std::optional<std::string_view> runtime_class;
  std::optional<std::string_view> node_name;
  SecurityContext security_context;
  std::array<std::optional<JsonArray>, 3> containers;  // as in kContainerLists
  // Of the pod or of any container: windowsOptions with a member, hostProcess: true.
  bool has_windows_options = false;
  bool has_host_process = false;
  bool is_host_process_pod = false;  // every container is a HostProcess container
  /// Wrong types and duplicate keys among what was read; with them the OS cannot be told for sure.
  FieldErrors errors;

  /// Path of the spec or the metadata from the object's root.
  FieldPath spec_path() const;
  FieldPath metadata_path() const;
};

/// The pod in an object of `kind`. Total: what is missing or of a wrong type is in `errors`.
Pod read_pod(JsonObject object, const PodKind& kind);

/// The entries of the lists of containers that are objects: visit(list, index, entry, object).
template <class Visit>
void for_each_container(const Pod& pod, Visit visit) {
  for (std::size_t list = 0; list < kContainerLists.size(); ++list) {
    if (!pod.containers[list]) continue;
    std::size_t index = 0;
    for (const JsonValue entry : *pod.containers[list]) {
      JsonObject container;
      if (entry.get(container) == simdjson::SUCCESS) visit(list, index, entry, container);
      ++index;
    }
  }
}

/// Whether a container of the pod is a HostProcess container: what it says itself goes before what
/// the pod says.
bool is_host_process(const Pod& pod, const SecurityContext& container);

/// How many containers the pod starts with; an ephemeral container comes later.
std::size_t count_non_ephemeral_containers(const Pod& pod);

/// A mirror pod, the API server's image of a static pod: the annotation, the node it is bound to
/// and a kubelet as the requester, all three. The annotation alone is nothing: anybody can write
/// it.
bool is_mirror_pod(const Pod& pod, bool requested_by_node);

}  // namespace winadmit
