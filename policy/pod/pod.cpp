#include "policy/pod/pod.hpp"

#include <algorithm>

#include "policy/pod/annotations.hpp"
#include "policy/pod/labels.hpp"

namespace winadmit {
namespace {

void read_metadata(Pod& pod, FieldPath& path) {
  const ScopedStep step(path, "metadata");
  std::optional<JsonObject> labels;
  std::optional<JsonArray> owners;
  read_members(*pod.metadata, path, pod.errors, Member{"annotations", pod.annotations},
               Member{"labels", labels}, Member{"ownerReferences", owners});
  if (labels) {
    const ScopedStep in_labels(path, "labels");
    read_entries(*labels, path, pod.errors, Member{kOsLabel, pod.os_label});
  }
  if (pod.annotations) {
    const ScopedStep in_annotations(path, "annotations");
    read_entries(*pod.annotations, path, pod.errors,
                 Member{kInheritUserAnnotation, pod.inherit_user});
  }
  const ScopedStep in_list(path, "ownerReferences");
  for_each_object(owners, path, pod.errors, [&](JsonObject owner) {
    std::optional<std::string_view> kind;
    std::optional<bool> controls;
    read_members(owner, path, pod.errors, Member{"kind", kind}, Member{"controller", controls});
    pod.is_owned_by_daemon_set |=
        pod.kind->is_pod() && kind == "DaemonSet" && controls.value_or(false);
  });
}

/// The order of the members does not matter, because the result is sorted.
void read_windows_labels(Pod& pod, const WindowsLabels& labels, FieldPath& path) {
  if (labels.empty()) return;
  SelectedLabels& selected = pod.selected_labels;
  std::vector<std::string_view> seen;
  for (auto each = pod.node_selector->begin(), end = pod.node_selector->end(); each != end;
       ++each) {
    const std::string_view key = each.key();
    const auto label = labels.find(key);
    if (label == labels.end()) continue;
    const ScopedStep step(path, MapKey{key});
    if (std::ranges::find(seen, label->first) != seen.end()) {
      pod.errors.add_duplicate(path);
      continue;
    }
    seen.push_back(label->first);
    const auto wanted = read_as<std::string_view>(each.value(), path, pod.errors);
    const auto value = wanted ? label->second.find(*wanted) : label->second.end();
    if (value == label->second.end()) continue;
    if (selected.windows_label.empty() || label->first < selected.windows_label) {
      selected.windows_label = label->first;
    }
    if (!value->second.empty()) selected.windows_label_builds.push_back(value->second);
  }
  std::ranges::sort(selected.windows_label_builds);
}

void read_spec(Pod& pod, const WindowsLabels& labels, FieldPath& path) {
  std::optional<JsonObject> os;
  std::optional<JsonObject> affinity;
  std::optional<JsonArray> tolerations;
  std::optional<JsonObject> security_context;
  auto& containers = pod.containers;
  read_members(*pod.spec, path, pod.errors, Member{"os", os},
               Member{"nodeSelector", pod.node_selector}, Member{"affinity", affinity},
               Member{"tolerations", tolerations}, Member{"runtimeClassName", pod.runtime_class},
               Member{"nodeName", pod.node_name}, Member{"securityContext", security_context},
               Member{kContainerLists[0], containers[0]}, Member{kContainerLists[1], containers[1]},
               Member{kContainerLists[2], containers[2]});
  if (os) {
    const ScopedStep step(path, "os");
    read_members(*os, path, pod.errors, Member{"name", pod.os_name});
  }
  if (pod.node_selector) {
    const ScopedStep step(path, "nodeSelector");
    read_entries(*pod.node_selector, path, pod.errors, Member{kOsLabel, pod.selected_labels.os},
                 Member{kBetaOsLabel, pod.selected_labels.beta_os},
                 Member{kArchLabel, pod.selected_labels.arch},
                 Member{kBetaArchLabel, pod.selected_labels.beta_arch},
                 Member{kWindowsBuildLabel, pod.selected_labels.windows_build});
    read_windows_labels(pod, labels, path);
  }
  if (affinity) {
    const ScopedStep step(path, "affinity");
    pod.node_affinity = read_node_affinity(*affinity, labels, path, pod.errors);
  }
  if (tolerations) {
    const ScopedStep step(path, "tolerations");
    pod.has_tolerations = true;
    pod.tolerations = PodTolerations(tolerations, path, pod.errors);
  }
  if (security_context) {
    const ScopedStep step(path, "securityContext");
    pod.security_context = read_security_context(*security_context, path, pod.errors);
  }
}

void read_containers(Pod& pod, FieldPath& path) {
  pod.has_windows_options = pod.security_context.has_windows_options;
  pod.has_host_process = pod.security_context.host_process.value_or(false);
  std::size_t containers = 0;
  std::size_t host_processes = 0;
  for (std::size_t list = 0; list < kContainerLists.size(); ++list) {
    if (!pod.containers[list]) continue;
    containers += pod.containers[list]->size();
    const ScopedStep in_list(path, kContainerLists[list]);
    for_each_object(pod.containers[list], path, pod.errors, [&](JsonObject container) {
      std::optional<std::string_view> name;
      std::optional<std::string_view> image;
      std::optional<JsonObject> context;
      read_members(container, path, pod.errors, Member{"name", name}, Member{"image", image},
                   Member{"securityContext", context});
      SecurityContext own;
      if (context) {
        const ScopedStep step(path, "securityContext");
        own = read_security_context(*context, path, pod.errors);
      }
      if (list != kEphemeralList) {  // added later, it must not change the OS of the pod
        pod.has_windows_options |= own.has_windows_options;
        pod.has_host_process |= own.host_process.value_or(false);
      }
      host_processes += merge(own, pod.security_context).host_process.value_or(false) ? 1 : 0;
    });
  }
  pod.is_host_process_pod = containers > 0 && host_processes == containers;
}

void read_named_pipes(Pod& pod, FieldPath& path) {
  const auto volumes = member<JsonArray>(*pod.spec, "volumes");
  const ScopedStep in_list(path, "volumes");
  for_each_object(volumes, path, pod.errors, [&](JsonObject volume) {
    std::optional<std::string_view> name;
    std::optional<JsonObject> host_path;
    read_members(volume, path, pod.errors, Member{"name", name}, Member{"hostPath", host_path});
    if (name && host_path && is_named_pipe(string_member(*host_path, "path"))) {
      pod.named_pipes.insert(Hasher().add(*name).value());
    }
  });
}

}  // namespace

FieldPath Pod::path_of(std::string_view member) const {
  FieldPath path;
  for (const std::string_view key : kind->template_path) path.enter(key);
  path.enter(member);
  return path;
}

Pod read_pod(JsonObject object, const PodKind& kind, const WindowsLabels& labels) {
  Pod pod;
  pod.kind = &kind;
  pod.pod_template = object;
  FieldPath path;
  const auto missing = [&](std::string_view key) {
    const ScopedStep step(path, key);
    if (pod.errors.empty()) pod.errors.add_missing(path);
  };
  for (const std::string_view key : kind.template_path) {
    std::optional<JsonObject> next;
    read_members(pod.pod_template, path, pod.errors, Member{key, next});
    if (!next) {
      missing(key);
      return pod;
    }
    pod.pod_template = *next;
    path.enter(key);
  }
  read_members(pod.pod_template, path, pod.errors, Member{"metadata", pod.metadata},
               Member{"spec", pod.spec});
  if (pod.metadata) read_metadata(pod, path);
  if (!pod.spec) {
    missing("spec");
    return pod;
  }
  path.enter("spec");
  read_spec(pod, labels, path);
  read_containers(pod, path);
  if (pod.is_host_process_pod) read_named_pipes(pod, path);
  return pod;
}

FieldPath Container::path(const Pod& pod) const {
  FieldPath path = pod.spec_path();
  path.enter(kContainerLists[list]);
  path.enter(index, entry);
  return path;
}

SecurityContext own_security_context(JsonObject container) {
  const auto context = member<JsonObject>(container, "securityContext");
  if (!context) return {};
  FieldPath path;
  FieldErrors reported_before;
  return read_security_context(*context, path, reported_before);
}

SecurityContext effective_security_context(const Pod& pod, JsonObject container) {
  return merge(own_security_context(container), pod.security_context);
}

bool is_named_pipe(std::string_view path) { return path.starts_with(kNamedPipePrefix); }

bool is_named_pipe_of_host_process_pod(const Pod& pod, std::string_view volume) {
  return pod.is_host_process_pod && pod.named_pipes.contains(Hasher().add(volume).value());
}

std::size_t count_non_ephemeral_containers(const Pod& pod) {
  std::size_t count = 0;
  for (std::size_t list = 0; list < kEphemeralList; ++list) {
    if (pod.containers[list]) count += pod.containers[list]->size();
  }
  return count;
}

bool is_assigned_to_node(const Pod& pod) { return !pod.node_name.value_or("").empty(); }

bool names_node(const Pod& pod) {
  return is_assigned_to_node(pod) ||
         (pod.node_selector && !pod.node_selector->at_key(kHostnameLabel).error());
}

bool is_mirror_pod(const Pod& pod, bool is_requested_by_node) {
  if (!is_requested_by_node || !pod.kind->is_pod() || !is_assigned_to_node(pod)) return false;
  return pod.annotations && !pod.annotations->at_key(kMirrorAnnotation).error();
}

}  // namespace winadmit
