// The Kubernetes kinds that are or hold a pod, and where they hold it.
#pragma once

#include <span>
#include <string_view>

namespace winadmit {

struct PodKind {
  std::string_view kind;
  std::string_view resource;  // plural, as in URLs and webhook rules
  std::string_view group;     // "" is the core group
  /// Keys from the object to its pod template; empty for a pod.
  std::span<const std::string_view> template_path;

  bool is_pod() const { return template_path.empty(); }
  bool is_daemon_set() const { return kind == "DaemonSet"; }
};

/// Every built-in kind that is or holds a pod.
std::span<const PodKind> pod_kinds();

/// By kind and API group; null for any other. The group `extensions` served the kinds of `apps`
/// before 1.16. The group matters because other projects define a Job or a Deployment too.
const PodKind* find_pod_kind(std::string_view kind, std::string_view group = {});

}  // namespace winadmit
