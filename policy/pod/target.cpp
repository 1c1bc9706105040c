#include "policy/pod/target.hpp"

#include <algorithm>

namespace winadmit {
namespace {

void add(Target& target, Signal signal, std::string_view os) {
  if (os == "windows") target.windows_signals.add(signal);
  if (os == "linux") target.linux_signals.add(signal);
}

void read_node_selector(Target& target, const SelectedLabels& selected) {
  add(target, Signal::node_selector, selected.os.value_or(""));
  add(target, Signal::beta_node_selector, selected.beta_os.value_or(""));
  if (!selected.windows_label.empty()) {
    target.windows_signals.add(Signal::label_node_selector);
    target.builds = selected.windows_label_builds;
  }
  if (selected.windows_build) {
    target.windows_signals.add(Signal::build_node_selector);
    target.builds = {*selected.windows_build};
  }
}

void read_affinity(Target& target, const NodeAffinity& affinity) {
  if (affinity.os == Os::windows) target.windows_signals.add(Signal::node_affinity);
  if (affinity.os == Os::linux) target.linux_signals.add(Signal::node_affinity);
}

}  // namespace

bool Target::excludes_linux() const {
  return std::ranges::any_of(
      std::initializer_list<Signal>{Signal::node_selector, Signal::beta_node_selector,
                                    Signal::build_node_selector, Signal::label_node_selector,
                                    Signal::node_affinity},
      [&](Signal signal) { return windows_signals.has(signal); });
}

bool Target::selects_linux() const {
  return std::ranges::any_of(
      std::initializer_list<Signal>{Signal::node_selector, Signal::beta_node_selector,
                                    Signal::node_affinity},
      [&](Signal signal) { return linux_signals.has(signal); });
}

Target find_target(const Pod& pod, const TargetSettings& settings, Os default_os) {
  Target target;
  if (!pod.spec) return target;
  target.default_os = default_os;
  if (pod.os_name) add(target, Signal::spec_os, *pod.os_name);
  read_node_selector(target, pod.selected_labels);
  read_affinity(target, pod.node_affinity);
  if (pod.runtime_class &&
      std::ranges::find(settings.windows_runtime_classes, *pod.runtime_class) !=
          settings.windows_runtime_classes.end()) {
    target.windows_signals.add(Signal::runtime_class);
  }
  const bool is_scheduled_to_windows = !target.windows_signals.empty();

  if (pod.has_windows_options) target.windows_signals.add(Signal::windows_options);
  if (pod.has_host_process) target.windows_signals.add(Signal::host_process);

  if (!target.linux_signals.empty()) {
    // Other windowsOptions have no effect on a Linux pod; a HostProcess container cannot run there.
    target.os = is_scheduled_to_windows || pod.has_host_process ? Os::conflict : Os::linux;
  } else {
    target.os = target.windows_signals.empty() ? default_os : Os::windows;
  }
  if (target.os == Os::windows && target.builds.empty()) target.builds = pod.node_affinity.builds;
  return target;
}

}  // namespace winadmit
