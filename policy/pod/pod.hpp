// A view of a pod, or of the pod template in a workload, for the parts of the policy that read it.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "policy/json/field_path.hpp"
#include "policy/json/hash.hpp"
#include "policy/json/json.hpp"
#include "policy/pod/affinity.hpp"
#include "policy/pod/pod_kind.hpp"
#include "policy/pod/security_context.hpp"
#include "policy/pod/toleration.hpp"
#include "policy/pod/windows_labels.hpp"

namespace winadmit {

/// The lists of containers in a pod spec.
inline constexpr std::array<std::string_view, 3> kContainerLists = {"containers", "initContainers",
                                                                    "ephemeralContainers"};
inline constexpr std::size_t kEphemeralList = 2;
static_assert(kContainerLists[kEphemeralList] == "ephemeralContainers");

/// What a nodeSelector asks of the labels that name an OS or an architecture.
struct SelectedLabels {
  std::optional<std::string_view> os;
  std::optional<std::string_view> beta_os;
  std::optional<std::string_view> windows_build;
  std::optional<std::string_view> arch;
  std::optional<std::string_view> beta_arch;
  std::string_view windows_label;  // the first key of WindowsLabels with a value of Windows, or ""
  std::vector<std::string_view> windows_label_builds;  // that such values name
};

/// Read in one pass over the pod spec. Borrows from the parsed document and from the labels.
struct Pod {
  const PodKind* kind = nullptr;
  JsonObject pod_template;  // holds metadata and spec: the object itself or a workload's template
  std::optional<JsonObject> metadata;
  std::optional<JsonObject> annotations;
  std::optional<std::string_view> inherit_user;  // the annotation kInheritUserAnnotation
  std::optional<std::string_view> os_label;      // the label kOsLabel of the pod, not of nodes
  bool is_owned_by_daemon_set = false;           // its controller has picked the node
  std::optional<JsonObject> spec;
  std::optional<std::string_view> os_name;  // spec.os.name
  std::optional<JsonObject> node_selector;
  SelectedLabels selected_labels;
  NodeAffinity node_affinity;
  bool has_tolerations = false;
  PodTolerations tolerations;
  std::optional<std::string_view> runtime_class;
  std::optional<std::string_view> node_name;
  SecurityContext security_context;
  std::array<std::optional<JsonArray>, kContainerLists.size()> containers;  // as in kContainerLists
  /// The pod or a container, other than an ephemeral one, has windowsOptions that are not empty.
  bool has_windows_options = false;
  /// The pod or a container, other than an ephemeral one, has hostProcess: true.
  bool has_host_process = false;
  bool is_host_process_pod = false;  // every container is a HostProcess container
  /// Hashes of the names of hostPath volumes that are named pipes. Read for a HostProcess pod only.
  HashSet named_pipes;
  /// Wrong types and duplicate keys in what was read. With them the OS is uncertain.
  FieldErrors errors;

  /// From the root of the object.
  FieldPath spec_path() const { return path_of("spec"); }
  FieldPath metadata_path() const { return path_of("metadata"); }

 private:
  FieldPath path_of(std::string_view member) const;
};

/// Reads an object of `kind`. Accepts any object: missing fields and wrong types are in
/// Pod::errors. `labels` mean Windows in the cluster, and must outlive the pod.
Pod read_pod(JsonObject object, const PodKind& kind, const WindowsLabels& labels);

/// A container of a pod.
struct Container {
  std::size_t list;   // in kContainerLists
  std::size_t index;  // in the list
  JsonValue entry;
  JsonObject object;  // the same

  FieldPath path(const Pod& pod) const;
};

/// Calls visit(container) for the containers that are objects.
template <class Visit>
void for_each_container(const Pod& pod, Visit visit) {
  for (std::size_t list = 0; list < kContainerLists.size(); ++list) {
    if (!pod.containers[list]) continue;
    std::size_t index = 0;
    for (const JsonValue entry : *pod.containers[list]) {
      JsonObject container;
      if (entry.get(container) == simdjson::SUCCESS)
        visit(Container{.list = list, .index = index, .entry = entry, .object = container});
      ++index;
    }
  }
}

/// The security context that a container sets itself.
SecurityContext own_security_context(JsonObject container);

/// The security context that is in force for a container of the pod.
SecurityContext effective_security_context(const Pod& pod, JsonObject container);

/// The paths of named pipes begin with it.
inline constexpr std::string_view kNamedPipePrefix = R"(\\.\pipe\)";

/// Whether the path of a hostPath volume names a pipe in the form that the container runtime takes:
/// github.com/Microsoft/hcsshim internal/jobcontainers/mounts.go, isnamedPipePath.
bool is_named_pipe(std::string_view path);

/// Whether this is the name of a volume that is a named pipe of the node, in a HostProcess pod.
bool is_named_pipe_of_host_process_pod(const Pod& pod, std::string_view volume);

/// Whether the pod names its node, as that of `kubectl debug node/NAME`: no scheduler sees it.
bool is_assigned_to_node(const Pod& pod);

/// Whether the pod is for one node: that of its nodeName, or of a hostname in its node selector.
bool names_node(const Pod& pod);

/// The containers and init containers.
std::size_t count_non_ephemeral_containers(const Pod& pod);

/// A mirror pod represents a static pod of a kubelet. It needs the annotation, a node and a kubelet
/// as the requester: anybody can set the annotation.
bool is_mirror_pod(const Pod& pod, bool is_requested_by_node);

}  // namespace winadmit
