#include "config/config.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "bytes/files.hpp"
#include "config/config_exemptions.hpp"
#include "config/config_finding_exemptions.hpp"
#include "config/config_names.hpp"
#include "config/config_reader.hpp"
#include "config/config_tolerations.hpp"
#include "config/config_windows_labels.hpp"
#include "config/label_syntax.hpp"
#include "config/release.hpp"
#include "policy/judge/advice_kinds.hpp"
#include "policy/pod/labels.hpp"
#include "policy/rules/version.hpp"

namespace winadmit::server {
namespace {

// --- actions

std::optional<Action> read_warn_or_deny(ConfigReader& reader, const ConfigNode& node,
                                        const std::string& what) {
  const std::optional<std::string> text = reader.string(node, what);
  if (!text) return std::nullopt;
  const auto action = parse_action(*text);
  if (action == Action::warn || action == Action::deny) return action;
  reader.fail(node, what + " must be warn or deny, not '" + *text + "'");
  return std::nullopt;
}

bool is_advice(std::string_view id) {
  return std::ranges::find(advice_kinds(), id, &AdviceKind::id) != advice_kinds().end();
}

void read_rule_action(ConfigReader& reader, Settings& settings, const std::string& id,
                      const ConfigNode& value) {
  if (const std::string error = rule_id_error(id); !error.empty()) return reader.fail(value, error);
  const std::string what = "the action of " + id;
  const std::optional<std::string> text = reader.string(value, what);
  if (!text) return;
  const auto action = parse_action(*text);
  if (!action) {
    reader.fail(value, what + " must be allow, warn, deny or strip, not '" + *text + "'");
  } else if (action == Action::strip && !is_removable(id)) {
    reader.fail(value, id + " cannot be stripped: " +
                           (is_advice(id) ? "it is advice"
                                          : "without the field the pod has another meaning"));
  } else {
    settings.actions[id] = *action;
  }
}

// --- the file

void read_version(ConfigReader& reader, Config& config, const ConfigNode& value,
                  const std::string& key) {
  const std::optional<std::string> text = reader.string(value, key);
  if (!text) return;
  const auto version = parse_release(*text);
  if (!version) return reader.fail(value, release_error(key, *text));
  config.set_kubernetes_version(*version);
}

void read_platform(ConfigReader& reader, Config& config, const ConfigNode& value,
                   const std::string& key) {
  config.sets_platform = true;
  const std::optional<std::string> id = reader.string(value, key);
  if (!id) return;
  if (const Platform* const found = find_platform(*id)) {
    config.platform = found;
    return;
  }
  std::string ids;
  for (const Platform& each : platforms()) {
    if (!ids.empty()) ids += &each == &platforms().back() ? " or " : ", ";
    ids += each.id;
  }
  reader.fail(value, key + " must be " + ids + ", not '" + *id + "'");
}

void read_default_os(ConfigReader& reader, Config& config, const ConfigNode& value,
                     const std::string& key) {
  if (value.is_null()) return;
  const std::optional<std::string> os = reader.string(value, key);
  if (!os) return;
  if (*os == to_string(Os::linux)) {
    config.default_os = Os::linux;
  } else if (*os == to_string(Os::windows)) {
    config.default_os = Os::windows;
  } else {
    reader.fail(value, key + " must be linux or windows, not '" + *os + "'");
  }
}

void read_default_os_mode(ConfigReader& reader, Config& config, const ConfigNode& value,
                          const std::string& key) {
  const std::optional<std::string> mode = reader.string(value, key);
  if (!mode) return;
  config.audits_default_os = *mode == "audit";
  if (!config.audits_default_os && *mode != "enforce")
    reader.fail(value, key + " must be enforce or audit, not '" + *mode + "'");
}

template <bool Settings::* kMember>
void read_boolean(ConfigReader& reader, Config& config, const ConfigNode& value,
                  const std::string& key) {
  reader.boolean(config.policy.*kMember, value, key);
}

/// kNewestVersion as YAML.
constexpr char kNewest[] = {'"',
                            '0' + kNewestVersion.major,
                            '.',
                            '0' + kNewestVersion.minor / 10,
                            '0' + kNewestVersion.minor % 10,
                            '"'};

constexpr auto kKeys = std::to_array<Key<Config>>({
    {{"kubernetesVersion",
      "release of Kubernetes",
      {kNewest, sizeof kNewest},
      "The Kubernetes release of the cluster. Pods are checked by its rules, or by those of the "
      "newest release that winadmit knows."},
     read_version},
    {{"platform", "id of a platform", "kep",
      "The platform of the Windows nodes. It sets their taints and the labels that mean Windows; "
      "other keys override them."},
     read_platform},
    {{"strict", "boolean", "false",
      "Also refuse benign values of unsupported fields, for example privileged: false."},
     read_boolean<&Settings::strict>},
    {{"rules", "mapping of ids to allow, warn, deny or strip", "{}",
      "The actions of rules and advice, by id."},
     [](ConfigReader& reader, Config& config, const ConfigNode& node, const std::string& what) {
       reader.mapping(node, what, [&](const std::string& id, const ConfigNode& value) {
         read_rule_action(reader, config.policy, id, value);
         return true;
       });
     }},
    {{"workloads", "warn or deny", "warn",
      "The action for findings in the pod templates of workloads."},
     [](ConfigReader& reader, Config& config, const ConfigNode& value, const std::string& key) {
       if (const auto action = read_warn_or_deny(reader, value, key)) {
         config.policy.workloads = *action;
       }
     }},
    {{"unplaced", "warn or deny", "warn",
      "The action for a Windows pod that reaches /validate without placement. advice-unplaced in "
      "rules takes precedence."},
     [](ConfigReader& reader, Config& config, const ConfigNode& value, const std::string& key) {
       if (const auto action = read_warn_or_deny(reader, value, key)) {
         config.policy.actions.emplace(kAdviceUnplaced, *action);  // `rules` takes precedence
       }
     }},
    {{"nodeSelectorKey", "string", "kubernetes.io/os",
      "The label that placement adds to nodeSelector. Before Kubernetes 1.15 the default is "
      "beta.kubernetes.io/os."},
     [](ConfigReader& reader, Config& config, const ConfigNode& value, const std::string& key) {
       const std::optional<std::string> label = reader.string(value, key);
       if (!label) return;
       if (!is_label_key(*label)) reader.fail(value, key + " must be the key of a label");
       if (is_other_node_label(*label)) reader.fail(value, *label + " is not the OS of a node");
       config.policy.node_selector_key = *label;
     }},
    {{"tolerations", "list of tolerations", "[{key: os, value: Win1809, effect: NoSchedule}]",
      "The tolerations that a Windows pod gets if its Windows build is not known. They replace all "
      "tolerations of the platform, those by build too. The default is that of the platform kep."},
     [](ConfigReader& reader, Config& config, const ConfigNode& value, const std::string& key) {
       config.tolerations = read_tolerations(reader, value, key);
     }},
    {{"tolerationsByBuild", "mapping of Windows builds to lists of tolerations",
      "{10.0.17763: [{key: os, value: Win1809, effect: NoSchedule}], "
      "10.0.20348: [{key: os, value: Win2022, effect: NoSchedule}], "
      "10.0.26100: [{key: os, value: Win2025, effect: NoSchedule}]}",
      "The tolerations that a Windows pod gets instead if its build is known, by the value of the "
      "label node.kubernetes.io/windows-build."},
     [](ConfigReader& reader, Config& config, const ConfigNode& value, const std::string& key) {
       if (value.is_null()) return reader.fail(value, key + " needs a mapping: {} is an empty one");
       config.tolerations_by_build = read_tolerations_by_build(reader, value, key);
     }},
    {{"windowsLabels", "mapping of label keys to lists of values", "{}",
      "Node labels that mean Windows, in addition to those of the platform. A value is a string, "
      "or a mapping of the value to the Windows build that it names. A key replaces the values "
      "that the platform has for it."},
     [](ConfigReader& reader, Config& config, const ConfigNode& value, const std::string& key) {
       config.windows_labels = read_windows_labels(reader, value, key);
     }},
    {{"defaultOs", "linux or windows", "",
      "The OS of a pod that does not say it, in namespaces without the label "
      "winadmit.dev/default-os. The default is none: such a pod is not changed."},
     read_default_os},
    {{"defaultOsMode", "enforce or audit", "enforce",
      "With audit, what defaultOs would change is told by audit annotations, the log and a metric, "
      "and nothing is changed."},
     read_default_os_mode},
    {{"setOs", "boolean", "false",
      "Placement also sets spec.os.name, and removes the fields that the API server then refuses, "
      "also those beside a spec.os.name that is set. Not for a pod "
      "with a field that is denied. The pods of a DaemonSet get it from its template."},
     read_boolean<&Settings::set_os>},
    {{"placeDaemonSets", "boolean", "true", "Place the pod templates of DaemonSets."},
     read_boolean<&Settings::place_daemon_sets>},
    {{"windowsRuntimeClasses", "list of strings", "[]",
      "RuntimeClasses that run on Windows nodes only. A pod that names one is a Windows pod."},
     [](ConfigReader& reader, Config& config, const ConfigNode& value, const std::string& key) {
       config.policy.target.windows_runtime_classes = reader.strings(value, key);
     }},
    {{"exempt", "mapping", "{}", "Requests, objects and findings that are not checked."},
     [](ConfigReader& reader, Config& config, const ConfigNode& value, const std::string& key) {
       config.exempt = read_exemptions(reader, value, key);
     }},
});

}  // namespace

std::string node_selector_error(const Config& config) {
  const std::optional<std::string>& label = config.policy.node_selector_key;
  if (!label) return {};
  const auto values = config.policy.target.windows_labels.find(*label);
  if (values == config.policy.target.windows_labels.end() || values->second.contains("windows"))
    return {};
  return *label + " is a label of Windows nodes with other values than windows";
}

void Config::set_kubernetes_version(Version named) {
  kubernetes_version = named;
  policy.kubernetes = known_release(named);
}

void Config::set_platform(const Platform& chosen) {
  platform = &chosen;
  policy.set_platform(chosen);
  if (tolerations) {
    policy.tolerations = *tolerations;
    policy.tolerations_are_alternatives = false;
    policy.tolerations_by_build.clear();  // those of the platform are for other taints
  }
  if (tolerations_by_build) policy.tolerations_by_build = *tolerations_by_build;
  WindowsLabels labels = windows_labels;
  labels.merge(policy.target.windows_labels);  // only what is not there yet
  policy.target.windows_labels = std::move(labels);
}

Config read_config(ConfigReader& reader, const ConfigNode& node, const std::string& what) {
  Config config;
  read_mapping<Config>(reader, config, node, what, kKeys);
  config.set_platform(*config.platform);
  if (const std::string error = node_selector_error(config); !error.empty())
    reader.fail(node.member("nodeSelectorKey").value_or(node), error);
  if (config.audits_default_os && config.default_os == Os::none) {
    reader.fail(node.member("defaultOsMode").value_or(node),
                "defaultOsMode: audit has no effect without defaultOs");
  }
  if (config.policy.set_os) {
    const std::string error = pod_os_error("setOs", config.policy.kubernetes);
    if (!error.empty()) reader.fail(node.member("setOs").value_or(node), error);
  }
  return config;
}

Config parse_config(const std::string& yaml, const std::string& name) {
  ConfigReader reader(name);
  Config config;
  const std::optional<ConfigNode> file = reader.load(yaml);
  if (file) config = read_config(reader, *file, "the configuration");
  reader.throw_errors();
  if (file) config.file = reader.json();
  return config;
}

Config load_config(const std::string& path) { return parse_config(read_file(path), path); }

std::vector<ConfigKey> config_keys() {
  std::vector<ConfigKey> all;
  const auto append = [&all](const auto& keys) {
    for (const auto& each : keys) all.push_back(each.description);
  };
  for (const Key<Config>& each : kKeys) {
    all.push_back(each.description);
    if (each.description.name == "tolerations") append(toleration_keys());
    if (each.description.name == "exempt") {
      append(exemption_keys());
      append(finding_exemption_keys());  // of the last of these
    }
  }
  return all;
}

}  // namespace winadmit::server
