#include "config/config.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace winadmit::server {
namespace {

std::string errors_of(const std::string& yaml) {
  try {
    parse_config(yaml, "c.yaml");
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(Config, CanBeEmpty) {
  for (const char* yaml : {"", "{}", "---\n", "# nothing\n"}) {
    SCOPED_TRACE(yaml);
    EXPECT_EQ(parse_config(yaml, "c").policy.kubernetes, kNewestVersion);
  }
}

TEST(Config, TakesLinuxOrWindowsAsTheDefaultOs) {
  EXPECT_EQ(parse_config("defaultOs: windows", "c").default_os, Os::windows);
  EXPECT_FALSE(parse_config("{defaultOs: linux, defaultOsMode: enforce}", "c").audits_default_os);
  EXPECT_EQ(errors_of("defaultOs: none"),
            "c.yaml:1: defaultOs must be linux or windows, not 'none'");
  EXPECT_EQ(errors_of("{defaultOs: linux, defaultOsMode: warn}"),
            "c.yaml:1: defaultOsMode must be enforce or audit, not 'warn'");
  EXPECT_EQ(errors_of("defaultOsMode: audit"),
            "c.yaml:1: defaultOsMode: audit has no effect without defaultOs");
}

TEST(Config, SetsEveryKey) {
  const Config config = parse_config(R"(
kubernetesVersion: "1.30"
platform: aks
strict: true
workloads: deny
unplaced: deny
setOs: true
placeDaemonSets: false
nodeSelectorKey: example.com/os
windowsRuntimeClasses: [windows-2019]
windowsLabels: {pool: [win]}
defaultOs: linux
defaultOsMode: audit
rules:
  host-pid: warn
  privileged: strip
tolerations:
- {key: sku, operator: Exists}
- {key: os, value: windows, effect: NoSchedule}
tolerationsByBuild:
  10.0.20348:
  - {key: os, value: w22, effect: NoExecute}
exempt:
  namespaces: [kube-system]
  users: [jane, "a b", "https://issuer.example/#jane?", "system:serviceaccount:ci:bot.v1"]
  groups: [team]
  runtimeClasses: [special]
  byAnnotation: true
  findings:
  - {namespace: team-a, rule: host-pid, reason: moves in Q1, until: 2027-01-31}
  - {namespace: team-b, reason: is tested}
)",
                                     "c.yaml");
  const Settings& policy = config.policy;
  EXPECT_EQ(policy.kubernetes, (Version{1, 30}));
  EXPECT_EQ(config.kubernetes_version, (Version{1, 30}));
  EXPECT_EQ(config.platform->id, "aks");
  EXPECT_TRUE(config.sets_platform);
  EXPECT_TRUE(policy.strict);
  EXPECT_EQ(config.default_os, Os::linux);
  EXPECT_TRUE(config.audits_default_os);
  EXPECT_EQ(policy.workloads, Action::deny);
  EXPECT_EQ(policy.actions.at("advice-unplaced"), Action::deny);
  EXPECT_TRUE(policy.set_os);
  EXPECT_FALSE(policy.place_daemon_sets);
  EXPECT_EQ(policy.os_label(), "example.com/os");
  EXPECT_EQ(policy.target.windows_runtime_classes, std::vector<std::string>{"windows-2019"});
  EXPECT_EQ(policy.target.windows_labels.at("pool"), (WindowsLabelValues{{"win", ""}}));
  EXPECT_EQ(policy.actions.at("host-pid"), Action::warn);
  EXPECT_EQ(policy.actions.at("privileged"), Action::strip);
  ASSERT_EQ(policy.tolerations.size(), 2U);
  EXPECT_EQ(policy.tolerations[0], (Toleration{"sku", "Exists", "", ""}));
  EXPECT_EQ(policy.tolerations[1], (Toleration{"os", "Equal", "windows", "NoSchedule"}));
  ASSERT_EQ(policy.tolerations_by_build.size(), 1U)
      << "the configured sets replace the built-in ones";
  EXPECT_EQ(config.exempt.namespaces, std::vector<std::string>{"kube-system"});
  EXPECT_EQ(config.exempt.users.front(), "jane");
  EXPECT_EQ(config.exempt.users.size(), 4U) << "also names with space and signs";
  EXPECT_EQ(config.exempt.groups, std::vector<std::string>{"team"});
  EXPECT_EQ(config.exempt.runtime_classes, std::vector<std::string>{"special"});
  EXPECT_TRUE(config.exempt.by_annotation);
  ASSERT_EQ(config.exempt.findings.size(), 2U);
  const FindingExemption& exemption = config.exempt.findings[0];
  EXPECT_EQ(exemption.name_space, "team-a");
  EXPECT_EQ(exemption.rule, "host-pid");
  EXPECT_EQ(exemption.reason, "moves in Q1");
  const std::chrono::sys_days last = std::chrono::year(2027) / 1 / 31;
  EXPECT_EQ(exemption.until, last);
  EXPECT_FALSE(exemption.has_ended(last));
  EXPECT_TRUE(exemption.has_ended(last + std::chrono::days(1)));
  EXPECT_EQ(config.exempt.findings[1].rule, "");
  EXPECT_FALSE(config.exempt.findings[1].until);
}

TEST(Config, TolerationsReplaceAllBuiltInTolerations) {
  const std::string tolerations = "tolerations: [{key: os, value: windows}]\n";
  const std::string by_build = "tolerationsByBuild: {10.0.20348: [{key: os, value: w22}]}\n";
  EXPECT_TRUE(parse_config(tolerations, "c").policy.tolerations_by_build.empty());
  EXPECT_TRUE(parse_config("tolerations: []\n", "c").policy.tolerations_by_build.empty());
  for (const std::string& yaml : {tolerations + by_build, by_build + tolerations}) {
    EXPECT_EQ(parse_config(yaml, "c").policy.tolerations_by_build.size(), 1U) << yaml;
  }
  EXPECT_EQ(parse_config(by_build, "c").policy.tolerations, Settings{}.tolerations);
}

TEST(Config, AKeyThatReplacesADefaultNeedsAValue) {
  for (const char* yaml :
       {"tolerations:", "tolerationsByBuild:", "tolerationsByBuild: {10.0.17763: }",
        "windowsLabels: {example.com/os: }"}) {
    EXPECT_THROW(parse_config(yaml, "c.yaml"), ConfigError) << yaml;
  }
  EXPECT_TRUE(parse_config("tolerations: []", "c.yaml").policy.tolerations.empty());
  EXPECT_TRUE(parse_config("tolerationsByBuild: {}", "c.yaml").policy.tolerations_by_build.empty());
}

TEST(Config, APlatformSetsWhatNoKeyOverrides) {
  const std::string gke = "platform: gke\n";
  const std::string kep = "platform: kep\n";
  const std::string tolerations = "tolerations: [{key: a, value: b}]\n";
  const std::string by_build = "tolerationsByBuild: {10.0.20348: [{key: os, value: w22}]}\n";

  EXPECT_EQ(parse_config(gke, "c").policy.tolerations, tolerations_of(*find_platform("gke")));
  EXPECT_TRUE(parse_config(gke, "c").policy.tolerations_by_build.empty());
  for (const std::string& yaml : {gke + tolerations + by_build, by_build + tolerations + gke}) {
    SCOPED_TRACE(yaml);
    const Settings policy = parse_config(yaml, "c").policy;
    EXPECT_EQ(policy.tolerations, (std::vector<Toleration>{{"a", "Equal", "b", ""}}));
    EXPECT_EQ(policy.tolerations_by_build.at("10.0.20348").at(0).value, "w22");
  }
  for (const std::string& yaml : {kep + tolerations, tolerations + kep}) {
    EXPECT_TRUE(parse_config(yaml, "c").policy.tolerations_by_build.empty()) << yaml;
  }
  EXPECT_TRUE(parse_config("platform: any\n", "c").policy.tolerations_are_alternatives);
  EXPECT_FALSE(
      parse_config("platform: any\n" + tolerations, "c").policy.tolerations_are_alternatives);
}

TEST(Config, WindowsLabelsReplaceThoseOfThePlatformByKey) {
  const auto labels = [](const std::string& yaml) {
    return parse_config(yaml, "c").policy.target.windows_labels;
  };
  EXPECT_TRUE(labels("").empty());
  const WindowsLabels aks = labels("platform: aks");
  EXPECT_EQ(aks, windows_labels_of(*find_platform("aks")));
  WindowsLabels more = aks;
  more["pool"] = {{"win", ""}};
  EXPECT_EQ(labels("windowsLabels: {pool: [win]}\nplatform: aks"), more);
  const std::string own = "windowsLabels: {kubernetes.azure.com/os-sku: [Windows2022]}\n";
  EXPECT_EQ(labels(own + "platform: aks"), labels(own));
}

TEST(Config, RulesTakePrecedenceOverUnplaced) {
  const std::string rules = "rules: {advice-unplaced: allow}\n", unplaced = "unplaced: deny\n";
  for (const std::string& yaml : {rules + unplaced, unplaced + rules}) {
    EXPECT_EQ(parse_config(yaml, "c").policy.actions.at("advice-unplaced"), Action::allow) << yaml;
  }
}

TEST(Config, AcceptsTheFirstReleaseAndSetOsInTheFirstWithSpecOs) {
  EXPECT_EQ(errors_of("kubernetesVersion: '1.14'\n"), "");
  EXPECT_EQ(errors_of("kubernetesVersion: '1.24'\nsetOs: true\n"), "");
}

TEST(Config, TakesANewerReleaseForTheNewestKnown) {
  const Version newer{kNewestVersion.major, kNewestVersion.minor + 1};
  const Config config = parse_config("kubernetesVersion: v" + to_string(newer) + ".0\n", "c.yaml");
  EXPECT_EQ(config.kubernetes_version, newer);
  EXPECT_EQ(config.policy.kubernetes, kNewestVersion);
}

TEST(Config, ReportsEachErrorWithItsLine) {
  struct Case {
    const char *name, *yaml, *error;
  };
  constexpr Case kCases[] = {
      {"unknown key", "strict: true\ntolerationz: []\n",
       "c.yaml:2: unknown key 'tolerationz' in the configuration; did you mean tolerations?"},
      {"unknown key in exempt", "exempt:\n  namespace: [a]\n",
       "c.yaml:2: unknown key 'namespace' in exempt; did you mean namespaces?"},
      {"duplicate key", "strict: true\nstrict: false\n", "c.yaml:2: duplicate key 'strict'"},
      {"not a mapping", "- a\n", "must be a mapping"},
      {"a string", "strict\n", "must be a mapping"},
      {"no YAML", "a: [\n", "c.yaml:"},
      {"not a boolean", "strict: maybe\n", "c.yaml:1: strict must be true or false"},
      {"no version", "kubernetesVersion: latest\n",
       "c.yaml:1: kubernetesVersion must be Kubernetes 1.14 or later, not 'latest'"},
      {"old version", "kubernetesVersion: '1.13'\n", "kubernetesVersion must be"},
      {"unknown platform", "platform: k3s\n",
       "c.yaml:1: platform must be kep, kubernetes, eks, gke, openshift, aks, rke2 or any, not "
       "'k3s'"},
      {"a label of every node", "windowsLabels: {kubernetes.io/arch: [amd64]}\n",
       "c.yaml:1: kubernetes.io/arch is not the OS of a node"},
      {"a build that no label has",
       "tolerationsByBuild: {10.0.9999999999999999999999999999999999999999999999999999999999999: "
       "[]}\n",
       "is not a value of the label node.kubernetes.io/windows-build"},
      {"a label that is always read", "windowsLabels: {kubernetes.io/os: [windows]}\n",
       "c.yaml:1: kubernetes.io/os need not be in windowsLabels"},
      {"unknown rule", "rules:\n  host-pidd: warn\n",
       "c.yaml:2: unknown rule 'host-pidd': 'winadmit rules' lists all rules; those that only "
       "'winadmit check' reports cannot be configured; did you mean host-pid?"},
      {"unknown action", "rules: {host-pid: maybe}\n", "must be allow, warn, deny or strip"},
      {"an advice cannot be stripped", "rules: {advice-unplaced: strip}\n",
       "advice-unplaced cannot be stripped: it is advice"},
      {"a label without the value windows",
       "platform: aks\nnodeSelectorKey: kubernetes.azure.com/os-sku\n",
       "c.yaml:2: kubernetes.azure.com/os-sku is a label of Windows nodes with other values than "
       "windows"},
      {"a rule that cannot be stripped", "rules: {volume-nfs: strip}\n",
       "volume-nfs cannot be stripped: without the field the pod has another meaning"},
      {"workloads", "workloads: strip\n", "workloads must be warn or deny"},
      {"not a build", "tolerationsByBuild: {ltsc2022: []}\n", "10.0.20348"},
      {"a build with its revision", "tolerationsByBuild: {10.0.20348.2227: []}\n",
       "c.yaml:1: '10.0.20348.2227' is not a value"},
      {"a second document", "strict: true\n---\nbogus: 1\n", "c.yaml:3: a second document"},
      {"a text behind the document", "strict: true\n...\nbogus: 1\n",
       "c.yaml:3: did not find expected <document start>"},
      {"not UTF-8", "strict: true\nwindowsRuntimeClasses: ['\xff']\n",
       "c.yaml:2: is not UTF-8; save the file as UTF-8"},
      {"control characters", "platform: \"a\\nb\\e\"\n", "not 'a\\nb\\x1b'"},
      {"a label of another meaning", "nodeSelectorKey: node.kubernetes.io/windows-build\n",
       "is not the OS of a node"},
      {"the entry of a list", "exempt:\n  namespaces:\n  - a\n  - B\n",
       "c.yaml:4: 'B' is not the name of a namespace"},
      {"controllers",
       "exempt: {users: ['system:serviceaccount:kube-system:replicaset-controller']}\n",
       "would exempt everyone"},
      {"the controller manager", "exempt: {users: ['system:kube-controller-manager']}\n",
       "would exempt everyone"},
      {"the service accounts of controllers",
       "exempt: {groups: ['system:serviceaccounts:kube-system']}\n", "would exempt everyone"},
      {"all authenticated", "exempt: {groups: ['system:authenticated']}\n",
       "would exempt everyone"},
      {"all service accounts", "exempt: {groups: ['system:serviceaccounts']}\n",
       "would exempt everyone"},
      {"a pattern of users", "exempt:\n  users:\n  - '*'\n",
       "c.yaml:3: exempt user '*' matches nobody: names are no patterns"},
      {"a pattern of service accounts", "exempt: {users: ['system:serviceaccount:a:*']}\n",
       "matches nobody"},
      {"a service account without a namespace", "exempt: {users: ['system:serviceaccount:a']}\n",
       "matches nobody"},
      {"a namespace of service accounts", "exempt: {groups: ['system:serviceaccounts:A']}\n",
       "matches nobody: 'A' is not the name of a namespace"},
      {"a node", "exempt: {users: ['system:node:A']}\n", "matches nobody"},
      {"a pattern of groups", "exempt: {groups: ['system:*']}\n", "matches nobody"},
      {"space around a name", "exempt: {users: [' jane']}\n", "it has space around it"},
      {"nothing but space", "exempt: {groups: [' ']}\n", "it has space around it"},
      {"a pattern of RuntimeClasses", "exempt: {runtimeClasses: ['*']}\n",
       "'*' is not the name of a RuntimeClass"},
      {"an exemption for everything", "exempt:\n  findings:\n  - {reason: a}\n",
       "c.yaml:3: an entry of exempt.findings needs a namespace, a rule or both"},
      {"an exemption without a reason", "exempt: {findings: [{namespace: a}]}\n",
       "c.yaml:1: an entry of exempt.findings needs a reason"},
      {"an exemption of an unknown rule", "exempt: {findings: [{rule: host-pidd, reason: a}]}\n",
       "did you mean host-pid?"},
      {"an exemption of no namespace", "exempt: {findings: [{namespace: 'a*', reason: a}]}\n",
       "'a*' is not the name of a namespace"},
      {"no date", "exempt:\n  findings:\n  - namespace: a\n    reason: a\n    until: Q1\n",
       "c.yaml:5: until must be a date such as 2027-01-31, not 'Q1'"},
      {"no day of the calendar",
       "exempt: {findings: [{namespace: a, reason: a, until: 2027-02-29}]}\n",
       "until must be a date"},
      {"a time", "exempt: {findings: [{rule: host-pid, reason: a, until: 2027-01-31T12:00:00Z}]}\n",
       "until must be a date"},
      {"setOs before spec.os", "kubernetesVersion: '1.23'\nsetOs: true\n", "c.yaml:2: setOs needs"},
      {"an empty key of a label", "nodeSelectorKey: ''\n",
       "c.yaml:1: nodeSelectorKey must be the key of a label"},
      {"no key of a label", "nodeSelectorKey: 'kubernetes.io/os='\n",
       "c.yaml:1: nodeSelectorKey must be the key of a label"},
      {"a list for a string", "nodeSelectorKey: [a]\n", "must be a string"},
      {"a string for a list", "windowsRuntimeClasses: a\n", "must be a list"},
  };
  for (const Case& each : kCases) {
    SCOPED_TRACE(each.name);
    const std::string error = errors_of(each.yaml);
    EXPECT_NE(error.find(each.error), std::string::npos) << error;
  }
}

TEST(Config, NamesNoFlagOfACommandThatReadsManifests) {
  const std::string nested = std::string(300, '[') + std::string(300, ']');
  EXPECT_EQ(errors_of("windowsRuntimeClasses: " + nested + '\n'),
            "c.yaml:1: has more than 200 levels of mappings and lists");
}

TEST(Config, ReportsAllErrorsAtOnce) {
  const std::string errors = errors_of("strict: 7\nunknown: 1\nworkloads: x\n");
  EXPECT_EQ(std::ranges::count(errors, '\n'), 2) << errors;
}

TEST(Config, ReportsAWrongTypeOnce) {
  for (const char* yaml :
       {"platform: [eks]\n", "platform: {a: b}\n", "kubernetesVersion: [1]\n", "workloads: []\n",
        "unplaced: {}\n", "nodeSelectorKey: [a]\n", "rules: {host-pid: [warn]}\n",
        "tolerations: [a]\n", "tolerations: [{key: [a]}]\n",
        "tolerations: [{key: a, operator: [Equal]}]\n", "windowsLabels: {a: [[b]]}\n",
        "windowsLabels: {a: [{b: [c]}]}\n", "tolerationsByBuild: {10.0.20348: a}\n",
        "exempt: {findings: [a]}\n", "exempt: {findings: [{namespace: [a], reason: a}]}\n",
        "exempt: {findings: [{namespace: , reason: a}]}\n",
        "exempt: {findings: [{rule: host-pid, reason: [a]}]}\n"}) {
    const std::string errors = errors_of(yaml);
    EXPECT_NE(errors, "") << yaml;
    EXPECT_EQ(std::ranges::count(errors, '\n'), 0) << errors;
  }
}

TEST(Config, MustBeReadable) {
  EXPECT_THROW(load_config("/nonexistent/config.yaml"), std::runtime_error);
  EXPECT_THROW(load_config("/"), std::runtime_error);
}

/// All settings of a configuration in one text.
std::string text_of(const Config& config) {
  const Settings& policy = config.policy;
  std::string text = to_string(policy.kubernetes) + ' ' + std::string(policy.os_label()) + ' ' +
                     std::string(config.platform->id);
  for (const bool each : {policy.strict, policy.set_os, policy.place_daemon_sets}) {
    text += each ? " true" : " false";
  }
  text += policy.workloads == Action::warn ? " warn" : " deny";
  text += ' ' + std::string(to_string(config.default_os));
  text += config.audits_default_os ? " audited" : "";
  const auto append = [&text](const std::vector<Toleration>& tolerations) {
    for (const auto& each : tolerations) {
      text += " {" + each.key + ' ' + each.op + ' ' + each.value + ' ' + each.effect + '}';
    }
  };
  append(policy.tolerations);
  for (const auto& [build, tolerations] : policy.tolerations_by_build) {
    text += ' ' + build;
    append(tolerations);
  }
  for (const auto& [key, values] : policy.target.windows_labels) {
    text += ' ' + key;
    for (const auto& [value, build] : values) text.append(" ").append(value).append(build);
  }
  const Exemptions& exempt = config.exempt;
  for (const auto* list : {&policy.target.windows_runtime_classes, &exempt.namespaces,
                           &exempt.users, &exempt.groups, &exempt.runtime_classes}) {
    text += ' ' + std::to_string(list->size());
  }
  text += exempt.by_annotation ? " by annotation" : "";
  text += ' ' + std::to_string(exempt.findings.size());
  return text;
}

std::string default_of(std::string_view key) {
  const std::vector<ConfigKey> keys = config_keys();
  const auto found = std::ranges::find(keys, key, &ConfigKey::name);
  return found == keys.end() ? "no such key" : std::string(found->default_value);
}

TEST(Config, KeysListTheDefaultsOfTheSettings) {
  const std::string defaults = text_of(Config{});
  const std::string by_build = default_of("tolerationsByBuild");
  for (const ConfigKey& each : config_keys()) {
    SCOPED_TRACE(each.name);
    if (each.name.find("[].") != std::string_view::npos) continue;
    std::string yaml = std::string(each.key()) + ": " + std::string(each.default_value);
    if (each.name.starts_with("exempt.")) yaml = "exempt: {" + yaml + '}';
    if (each.name == "tolerations") yaml += "\ntolerationsByBuild: " + by_build;
    EXPECT_EQ(errors_of(yaml), "");
    EXPECT_EQ(text_of(parse_config(yaml, "c.yaml")), defaults);
  }
}

TEST(Config, KeysListTheDefaultsOfAToleration) {
  const Toleration toleration =
      parse_config("tolerations: [{key: a}]", "c.yaml").policy.tolerations[0];
  EXPECT_EQ(default_of("tolerations[].operator"), toleration.op);
  EXPECT_EQ(default_of("tolerations[].value"), toleration.value);
  EXPECT_EQ(default_of("tolerations[].effect"), toleration.effect);
}

TEST(Config, KeysAreListedOnceEachWithADescription) {
  std::set<std::string_view> names;
  for (const ConfigKey& each : config_keys()) {
    EXPECT_TRUE(names.insert(each.name).second) << each.name;
    EXPECT_FALSE(each.type.empty()) << each.name;
    EXPECT_TRUE(each.description.ends_with('.')) << each.name;
  }
  EXPECT_EQ(names.size(), 30U) << "a new key also belongs in SetsEveryKey and text_of";
}

}  // namespace
}  // namespace winadmit::server
