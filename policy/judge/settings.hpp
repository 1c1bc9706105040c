// The settings of the policy. config/ reads them from the configuration file.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/pod/labels.hpp"
#include "policy/pod/platform.hpp"
#include "policy/pod/target.hpp"
#include "policy/pod/toleration.hpp"
#include "policy/rules/action.hpp"
#include "policy/rules/version.hpp"

namespace winadmit {

struct Settings {
  Version kubernetes = kNewestVersion;

  /// Also denies unsupported fields whose value has no effect, for example hostPID: false.
  bool strict = false;

  /// Overrides the action of a rule or of an advice, by its id.
  std::map<std::string, Action, std::less<>> actions;

  /// The action for findings in workload templates: warn or deny.
  Action workloads = Action::warn;

  /// The label of the nodeSelector that placement adds. Unset: kubernetes.io/os; before 1.15, as in
  /// KEP-116 ("Ensuring OS-specific workloads land on appropriate container host"), its beta label.
  std::optional<std::string> node_selector_key;

  /// What placement adds to a Windows pod that names no Windows build.
  std::vector<Toleration> tolerations = tolerations_of(default_platform());

  /// What placement adds instead to a pod that names a build.
  TolerationsByBuild tolerations_by_build = tolerations_by_build_of(default_platform());

  /// No node has the taints of all `tolerations`: a pod with one of them may be placed.
  bool tolerations_are_alternatives = default_platform().taints_are_alternatives;

  /// Placement also sets spec.os.name. This turns on the Windows validation of the API server, and
  /// turns off three checks of the Pod Security level "restricted".
  bool set_os = false;

  /// Placement also changes the templates of DaemonSets.
  bool place_daemon_sets = true;

  TargetSettings target;

  /// Replaces the taints and labels of the nodes by those of a platform.
  void set_platform(const Platform& platform) {
    tolerations = tolerations_of(platform);
    tolerations_by_build = tolerations_by_build_of(platform);
    tolerations_are_alternatives = platform.taints_are_alternatives;
    target.windows_labels = windows_labels_of(platform);
  }

  /// The configured action of a rule or of an advice, else `otherwise`.
  Action action_of(std::string_view id, Action otherwise) const {
    const auto configured = actions.find(id);
    return configured == actions.end() ? otherwise : configured->second;
  }

  std::string_view os_label() const {
    if (node_selector_key) return *node_selector_key;
    return kubernetes < Version{1, 15} ? kBetaOsLabel : kOsLabel;
  }
};

}  // namespace winadmit
