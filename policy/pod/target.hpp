// Which operating system a pod asks for, and the signals that say so.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "policy/pod/os.hpp"
#include "policy/pod/platform.hpp"
#include "policy/pod/pod.hpp"

namespace winadmit {

/// A field that can name an OS. The last two are not scheduling signals: windowsOptions count only
/// if no scheduling signal is set, and hostProcess conflicts with a scheduling signal for Linux.
enum class Signal : std::uint8_t {
  spec_os,
  node_selector,
  beta_node_selector,
  build_node_selector,
  label_node_selector,  // a label of TargetSettings::windows_labels
  node_affinity,
  runtime_class,
  windows_options,
  host_process,
};

/// The field of each signal, from the pod spec.
inline constexpr std::array<std::string_view, 9> kSignalFields = {
    "os.name",
    "nodeSelector[kubernetes.io/os]",
    "nodeSelector[beta.kubernetes.io/os]",
    "nodeSelector[node.kubernetes.io/windows-build]",
    "nodeSelector with a label of Windows nodes",
    "affinity.nodeAffinity",
    "runtimeClassName",
    "windowsOptions",
    "windowsOptions.hostProcess",
};
static_assert(kSignalFields.size() == static_cast<std::size_t>(Signal::host_process) + 1);

constexpr std::string_view to_string(Signal signal) {
  return kSignalFields[static_cast<std::size_t>(signal)];
}

/// A set of signals.
class Signals {
 public:
  void add(Signal signal) { bits_ |= bit(signal); }
  bool has(Signal signal) const { return (bits_ & bit(signal)) != 0; }
  bool empty() const { return bits_ == 0; }
  /// In the order of the enum.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t i = 0; i < kSignalFields.size(); ++i) {
      if (const auto signal = static_cast<Signal>(i); has(signal)) visit(signal);
    }
  }

 private:
  static std::uint16_t bit(Signal signal) {
    return static_cast<std::uint16_t>(1U << static_cast<unsigned>(signal));
  }
  std::uint16_t bits_ = 0;
};

struct Target {
  Os os = Os::none;
  Os default_os = Os::none;  // that a pod without a signal gets
  Signals windows_signals;
  Signals linux_signals;
  /// The Windows builds that the pod asks for, as values of the windows-build label; empty if its
  /// labels name none.
  std::vector<std::string_view> builds;
  /// Whether a node selector or a required node affinity excludes Linux nodes.
  bool excludes_linux() const;
  /// Whether a node selector or a required node affinity selects Linux nodes.
  bool selects_linux() const;
  /// Whether the pod itself says that it is for Linux. Not one that is so by default.
  bool asks_for_linux() const { return os == Os::linux && !linux_signals.empty(); }
};

/// The settings that decide about targets.
struct TargetSettings {
  /// RuntimeClasses with handlers on Windows nodes only.
  std::vector<std::string> windows_runtime_classes;
  WindowsLabels windows_labels = windows_labels_of(default_platform());
};

/// A field of a wrong type is not a signal. A pod without signals gets `default_os`; a pod without
/// a spec gets Os::none.
Target find_target(const Pod& pod, const TargetSettings& settings, Os default_os = Os::none);

}  // namespace winadmit
