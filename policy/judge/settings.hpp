// What an operator may choose: the values, not where they come from (server/config reads them).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/pod/labels.hpp"
#include "policy/pod/target.hpp"
#include "policy/pod/toleration.hpp"
#include "policy/rules/rule.hpp"
#include "policy/rules/version.hpp"

namespace winadmit {

struct Settings {
  Version kubernetes = kNewestVersion;

  /// Benign values of unsupported fields are refused too.
  bool strict = false;

  /// Action by rule or advice id, in place of the table's.
  std::map<std::string, Action, std::less<>> actions;

  /// Findings in workload templates: warn or deny.
  Action workloads = Action::warn;

  /// The label that placement writes; unset: kubernetes.io/os, below 1.15 the beta label, as the
  /// KEP has it ("Ensuring OS-specific workloads land on appropriate container host").
  std::optional<std::string> node_selector_key;

  /// What a Windows pod gets whose build is not known: the KEP's taint.
  std::vector<Toleration> tolerations = {{.key = "os", .value = "Win1809", .effect = "NoSchedule"}};

  /// What a pod of one Windows build gets instead, by the value of the windows-build label.
  std::map<std::string, std::vector<Toleration>, std::less<>> tolerations_by_build = {
      {"10.0.17763", {{.key = "os", .value = "Win1809", .effect = "NoSchedule"}}},
      {"10.0.20348", {{.key = "os", .value = "Win2022", .effect = "NoSchedule"}}},
      {"10.0.26100", {{.key = "os", .value = "Win2025", .effect = "NoSchedule"}}},
  };

  /// Placement also sets spec.os.name. It turns on the API server's own Windows validation and
  /// turns off three checks of PodSecurity "restricted".
  bool set_os = false;

  bool place_daemon_sets = true;

  TargetSettings target;

  std::string_view os_label() const {
    if (node_selector_key) return *node_selector_key;
    return kubernetes < Version{1, 15} ? kBetaOsLabel : kOsLabel;
  }
};

}  // namespace winadmit
