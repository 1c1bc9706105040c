// The platforms that Windows nodes run on: the taints of their nodes, and the labels that mean
// Windows. The configuration can override each.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "policy/pod/toleration.hpp"
#include "policy/pod/windows_labels.hpp"

namespace winadmit {

/// A taint of Windows nodes, with the effect NoSchedule.
struct PlatformTaint {
  std::string_view key;
  std::string_view value;
  std::string_view build = {};  // of the nodes that have it; empty: for pods that name no build
};

/// A label that only Windows nodes have with this value.
struct PlatformLabel {
  std::string_view key;
  std::string_view value;
  std::string_view build = {};  // that the value names, if it names one
};

struct Platform {
  std::string_view id;
  std::string_view name;
  std::span<const PlatformTaint> taints;
  std::span<const PlatformLabel> labels;
  std::string_view source;
  /// No node has all taints: a pod that tolerates one of them may be placed.
  bool taints_are_alternatives = false;
};

std::span<const Platform> platforms();

/// Null if unknown.
const Platform* find_platform(std::string_view id);

/// "kep", by KEP-116.
const Platform& default_platform();

/// The tolerations for a pod that names no Windows build.
std::vector<Toleration> tolerations_of(const Platform& platform);

/// The tolerations for a pod that names a build, instead of those.
TolerationsByBuild tolerations_by_build_of(const Platform& platform);

WindowsLabels windows_labels_of(const Platform& platform);

}  // namespace winadmit
