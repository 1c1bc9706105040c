// Node labels that kubelets set (k8s.io/api core/v1/well_known_labels.go).
#pragma once

#include <string_view>

namespace winadmit {

inline constexpr std::string_view kHostnameLabel = "kubernetes.io/hostname";
inline constexpr std::string_view kOsLabel = "kubernetes.io/os";
inline constexpr std::string_view kBetaOsLabel = "beta.kubernetes.io/os";
inline constexpr std::string_view kArchLabel = "kubernetes.io/arch";
inline constexpr std::string_view kBetaArchLabel = "beta.kubernetes.io/arch";
/// major.minor.build, without the revision. Only Windows kubelets set it, since 1.17.
inline constexpr std::string_view kWindowsBuildLabel = "node.kubernetes.io/windows-build";
/// Of the nodes of OpenShift.
inline constexpr std::string_view kOpenShiftOsLabel = "node.openshift.io/os_id";

/// Whether it is one of these labels whose values are no operating systems.
constexpr bool is_other_node_label(std::string_view key) {
  return key == kWindowsBuildLabel || key == kArchLabel || key == kBetaArchLabel ||
         key == kHostnameLabel;
}

}  // namespace winadmit
