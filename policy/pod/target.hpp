// Which operating system a pod wants, and by which signals.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "policy/pod/os.hpp"
#include "policy/pod/pod.hpp"

namespace winadmit {

/// What can speak for an OS. The scheduling signals come first; windowsOptions speak where none of
/// them does.
enum class Signal : std::uint8_t {
  spec_os,
  node_selector,
  beta_node_selector,
  build_node_selector,
  node_affinity,
  runtime_class,
  windows_options,
  host_process,
};
inline constexpr std::size_t kSignalCount = 8;

/// The field that the signal is read from, from the pod spec.
std::string_view to_string(Signal signal);

class Signals {
 public:
  void add(Signal signal) { bits_ |= bit(signal); }
  bool has(Signal signal) const { return (bits_ & bit(signal)) != 0; }
  bool empty() const { return bits_ == 0; }
  /// Calls `visit` with each, in their order.
  template <class Visit>
  void each(Visit visit) const {
    for (std::size_t i = 0; i < kSignalCount; ++i) {
      if (const auto signal = static_cast<Signal>(i); has(signal)) visit(signal);
    }
  }
  friend bool operator==(Signals, Signals) = default;

 private:
  static std::uint16_t bit(Signal signal) {
    return static_cast<std::uint16_t>(1U << static_cast<unsigned>(signal));
  }
  std::uint16_t bits_ = 0;
};

struct Target {
  Os os = Os::none;
  Signals windows_signals;  // what says Windows
  Signals linux_signals;    // what says Linux
  /// The values of the windows-build label that the pod can land on, where it says so.
  std::vector<std::string_view> builds;
};

/// What an operator may say about it.
struct TargetSettings {
  /// RuntimeClasses whose handlers are on Windows nodes only.
  std::vector<std::string> windows_runtime_classes;
};

/// Total: what cannot be read is no signal. A pod without one gets `default_os`.
Target find_target(const Pod& pod, const TargetSettings& settings, Os default_os = Os::none);

}  // namespace winadmit
