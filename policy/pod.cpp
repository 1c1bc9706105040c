#include "policy/pod.hpp"

#include <algorithm>

#include "policy/container.hpp"

namespace winadmit {
namespace {

constexpr std::array<std::string_view, 2> kInSpec = {"spec", "template"};
constexpr std::array<std::string_view, 1> kAtTop = {"template"};
constexpr std::array<std::string_view, 4> kInJob = {"spec", "jobTemplate", "spec", "template"};

constexpr std::array<PodKind, 9> kPodKinds = {{
    {"Pod", "pods", "", {}},
    {"ReplicationController", "replicationcontrollers", "", kInSpec},
    {"PodTemplate", "podtemplates", "", kAtTop},
    {"Deployment", "deployments", "apps", kInSpec},
    {"ReplicaSet", "replicasets", "apps", kInSpec},
    {"StatefulSet", "statefulsets", "apps", kInSpec},
    {"DaemonSet", "daemonsets", "apps", kInSpec},
    {"Job", "jobs", "batch", kInSpec},
    {"CronJob", "cronjobs", "batch", kInJob},
}};

/// Fills one member of the view; a second one of the same name is a problem.
template <class T>
void take(Pod& pod, std::optional<T>& slot, Json value, FieldPath& path, std::string_view key,
          bool& seen) {
  const Within here(path, key);
  if (seen) {
    add_duplicate_key(pod.problems, path);
    pod.ambiguous = true;
  }
  seen = true;
  slot = as<T>(value, path, pod.problems);
}

/// Which of the members that are read were there already.
struct Seen {
  bool os, node_selector, affinity, tolerations, runtime_class, node_name, security_context;
  std::array<bool, 3> containers;
};

void read_spec(Pod& pod, FieldPath& path) {
  Seen seen{};
  std::optional<JsonObject> os;
  for (const auto [key, value] : pod.spec) {
    if (key == "os") {
      take(pod, os, value, path, key, seen.os);
    } else if (key == "nodeSelector") {
      take(pod, pod.node_selector, value, path, key, seen.node_selector);
    } else if (key == "affinity") {
      take(pod, pod.affinity, value, path, key, seen.affinity);
    } else if (key == "tolerations") {
      take(pod, pod.tolerations, value, path, key, seen.tolerations);
    } else if (key == "runtimeClassName") {
      take(pod, pod.runtime_class, value, path, key, seen.runtime_class);
    } else if (key == "nodeName") {
      take(pod, pod.node_name, value, path, key, seen.node_name);
    } else if (key == "securityContext") {
      take(pod, pod.security_context, value, path, key, seen.security_context);
    } else {
      const auto list = std::ranges::find(kContainerLists, key);
      if (list == kContainerLists.end()) continue;
      const auto at = static_cast<std::size_t>(list - kContainerLists.begin());
      take(pod, pod.containers[at], value, path, key, seen.containers[at]);
    }
  }
  if (!os) return;
  const Within here(path, "os");
  bool named = false;
  for (const auto [key, value] : *os) {
    if (key == "name") take(pod, pod.os_name, value, path, key, named);
  }
}

void add(WindowsOptions& found, std::optional<JsonObject> options) {
  if (!options) return;
  for (const auto [key, value] : *options) {
    if (value.is_null()) continue;
    found.any_set = true;
    bool yes = false;
    if (key == "hostProcess" && value.get(yes) == simdjson::SUCCESS) found.host_process |= yes;
  }
}

/// The entries of the three lists must be objects; the rules and the signals are inside of them.
void read_containers(Pod& pod, FieldPath& path) {
  for (std::size_t list = 0; list < kContainerLists.size(); ++list) {
    if (!pod.containers[list]) continue;
    const Within in_list(path, kContainerLists[list]);
    std::size_t index = 0;
    for (const Json entry : *pod.containers[list]) {
      JsonObject container;
      if (entry.get(container) == simdjson::SUCCESS) {
        add(pod.windows_options, windows_options(container));
      } else {
        const Within in_entry(path, index, entry);
        add_wrong_type(pod.problems, path, "an object", entry);
      }
      ++index;
    }
  }
}

}  // namespace

bool PodKind::is_daemon_set() const { return kind == "DaemonSet"; }

std::span<const PodKind> pod_kinds() { return kPodKinds; }

const PodKind* find_pod_kind(std::string_view kind, std::string_view group) {
  const auto found = std::ranges::find(kPodKinds, kind, &PodKind::kind);
  if (found == kPodKinds.end()) return nullptr;
  const bool was_in_extensions = group == "extensions" && found->group == "apps";
  return group == found->group || was_in_extensions ? &*found : nullptr;
}

FieldPath Pod::spec_path() const {
  FieldPath path;
  for (const std::string_view key : kind->holder) path.enter(key);
  path.enter("spec");
  return path;
}

FieldPath Pod::metadata_path() const {
  FieldPath path;
  for (const std::string_view key : kind->holder) path.enter(key);
  path.enter("metadata");
  return path;
}

Pod read_pod(JsonObject object, const PodKind& kind) {
  Pod pod;
  pod.kind = &kind;
  pod.object = object;
  FieldPath path;
  const auto find = [&](std::string_view wanted) {
    std::optional<JsonObject> found;
    bool seen = false;
    for (const auto [key, value] : pod.object) {
      if (key == wanted) take(pod, found, value, path, key, seen);
    }
    return found;
  };
  const auto descend = [&](std::string_view key, JsonObject& into) {
    const std::optional<JsonObject> found = find(key);
    path.enter(key);
    if (!found && pod.problems.empty()) pod.problems.push_back({path.text(), "is missing"});
    if (found) into = *found;
    return found.has_value();
  };
  for (const std::string_view key : kind.holder) {
    if (!descend(key, pod.object)) return pod;
  }
  pod.metadata = find("metadata");
  pod.has_spec = descend("spec", pod.spec);
  if (!pod.has_spec) return pod;
  read_spec(pod, path);
  if (pod.security_context) {
    add(pod.windows_options, member<JsonObject>(*pod.security_context, "windowsOptions"));
  }
  read_containers(pod, path);
  return pod;
}

bool is_mirror_pod(const Pod& pod, bool requested_by_node) {
  if (!requested_by_node || !pod.kind->is_pod() || pod.node_name.value_or("").empty() ||
      !pod.metadata) {
    return false;
  }
  const auto annotations = member<JsonObject>(*pod.metadata, "annotations");
  return annotations && !annotations->at_key("kubernetes.io/config.mirror").error();
}

bool is_owned_by_daemon_set(const Pod& pod) {
  if (!pod.kind->is_pod() || !pod.metadata) return false;
  const auto owners = member<JsonArray>(*pod.metadata, "ownerReferences");
  if (!owners) return false;
  for (const Json entry : *owners) {
    JsonObject owner;
    if (entry.get(owner) == simdjson::SUCCESS && text_member(owner, "kind") == "DaemonSet" &&
        member<bool>(owner, "controller").value_or(false)) {
      return true;
    }
  }
  return false;
}

}  // namespace winadmit
