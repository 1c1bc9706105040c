// Which webhooks the API server calls, by the labels of the namespace and the resource.
#include "export/webhook_configurations.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace winadmit::server {
namespace {

using Json = nlohmann::ordered_json;
using Labels = std::map<std::string, std::string>;
using Names = std::vector<std::string>;

const std::string kModeLabel = "winadmit.dev/mode";
const std::string kDefaultOsLabel = "winadmit.dev/default-os";

/// Evaluates one requirement of a label selector. NotIn also matches if the label is missing.
bool matches(const Json& requirement, const Labels& labels) {
  const auto label = labels.find(requirement["key"].get<std::string>());
  if (requirement["operator"] == "Exists") return label != labels.end();
  const Json& values = requirement["values"];
  const bool in =
      label != labels.end() && std::ranges::find(values, Json(label->second)) != values.end();
  return requirement["operator"] == "In" ? in : !in;
}

bool selects(const Json& webhook, const Labels& labels) {
  return std::ranges::all_of(webhook["namespaceSelector"]["matchExpressions"],
                             [&](const Json& each) { return matches(each, labels); });
}

bool covers(const Json& webhook, std::string_view resource) {
  return std::ranges::any_of(webhook["rules"], [&](const Json& rule) {
    return std::ranges::find(rule["resources"], Json(resource)) != rule["resources"].end();
  });
}

/// The names of the called webhooks of a configuration, without ".winadmit.dev".
Names called(const Json& configuration, Labels labels, std::string_view resource,
             const std::string& name_space = "team-a") {
  labels["kubernetes.io/metadata.name"] = name_space;
  Names names;
  for (const Json& webhook : configuration["webhooks"]) {
    if (!selects(webhook, labels) || !covers(webhook, resource)) continue;
    const auto name = webhook["name"].get<std::string>();
    names.push_back(name.substr(0, name.find('.')));
  }
  return names;
}

std::string annotation_of(const Json& configuration) {
  return configuration["metadata"]["annotations"][std::string(kMatchConditionsAnnotation)];
}

class WebhookConfigurations : public testing::Test {
 protected:
  Json all_ = webhook_configurations({}, {});
  const Json& mutating_ = all_[0];
  const Json& validating_ = all_[1];
};

TEST_F(WebhookConfigurations, SendNoDaemonSetsToPlaceIfTheConfigurationPlacesNone) {
  Config config;
  config.policy.place_daemon_sets = false;
  const Json all = webhook_configurations(config, {});
  EXPECT_EQ(called(mutating_, {}, "daemonsets"), Names{"place-daemonsets"});
  EXPECT_EQ(called(all[0], {}, "daemonsets"), Names{});
  EXPECT_EQ(all[0]["webhooks"].size(), 3U);
  EXPECT_EQ(called(all[0], {}, "pods"), Names{"place"});
  EXPECT_EQ(all[1], validating_);
}

TEST_F(WebhookConfigurations, PlaceBeforeThoseOfAnyNameThatBeginsWithALetter) {
  EXPECT_LT(mutating_["metadata"]["name"].get<std::string>(), "a");
}

TEST_F(WebhookConfigurations, CallTheWebhooksOfThePodsModeAndDefaultOs) {
  const auto pods = [&](const Labels& labels) {
    Names names = called(mutating_, labels, "pods");
    const Names judging = called(validating_, labels, "pods");
    names.insert(names.end(), judging.begin(), judging.end());
    return names;
  };
  EXPECT_EQ(pods({}), (Names{"place", "validate"}));
  EXPECT_EQ(pods({{kModeLabel, "enforce"}}), (Names{"place", "validate"}));
  EXPECT_EQ(pods({{kModeLabel, "warn"}}), (Names{"place", "warn"}));
  EXPECT_EQ(pods({{kModeLabel, "audit"}}), (Names{"audit"}));
  EXPECT_EQ(pods({{kModeLabel, "off"}}), Names{});
  const auto of_os = [&](const std::string& os, const std::string& mode) {
    return pods({{kDefaultOsLabel, os}, {kModeLabel, mode}});
  };
  EXPECT_EQ(of_os("windows", ""), (Names{"place-default-windows", "validate-default-windows"}));
  EXPECT_EQ(of_os("windows", "warn"), (Names{"place-default-windows", "warn-default-windows"}));
  EXPECT_EQ(of_os("windows", "audit"), Names{"audit-default-windows"});
  EXPECT_EQ(of_os("linux", ""), (Names{"place", "place-default-linux", "validate"}));
  EXPECT_EQ(of_os("linux", "warn"), (Names{"place", "place-default-linux", "warn"}));
  EXPECT_EQ(of_os("linux", "audit"), Names{"audit"});
  EXPECT_EQ(of_os("none", ""), (Names{"place", "validate"}));
  for (const std::string os : {"windows", "linux", "none"}) EXPECT_EQ(of_os(os, "off"), Names{});
}

/// The webhooks that place a pod or a DaemonSet in a namespace with the label, or without one.
Names placing(const Config& config, const std::string& label, const std::string& resource,
              const std::string& mode = "enforce") {
  Labels labels = {{kModeLabel, mode}};
  if (!label.empty()) labels[kDefaultOsLabel] = label;
  return called(webhook_configurations(config, {})[0], labels, resource);
}

TEST_F(WebhookConfigurations, GiveNamespacesWithoutADefaultOsThatOfTheConfiguration) {
  Config config;
  config.default_os = Os::linux;
  const Names linux = {"place", "place-default-linux"};
  const Names windows = {"place-default-windows"};
  const Names none = {"place"};
  EXPECT_EQ(placing(config, "", "pods"), linux);
  EXPECT_EQ(placing(config, "misspelled", "pods"), linux);
  EXPECT_EQ(placing(config, "linux", "pods"), linux);
  EXPECT_EQ(placing(config, "windows", "pods"), windows);
  EXPECT_EQ(placing(config, "none", "pods"), none);
  EXPECT_EQ(placing(config, "", "daemonsets"),
            (Names{"place-daemonsets", "place-daemonsets-default-linux"}));
  config.default_os = Os::windows;
  EXPECT_EQ(placing(config, "", "pods"), windows);
  EXPECT_EQ(placing(config, "misspelled", "pods"), windows);
  EXPECT_EQ(placing(config, "linux", "pods"), linux);
  EXPECT_EQ(placing(config, "none", "pods"), none);
}

TEST_F(WebhookConfigurations, SendNoLinuxPodToAWebhookThatValidatesForADefaultOs) {
  Config config;
  config.default_os = Os::linux;
  EXPECT_EQ(webhook_configurations(config, {})[1]["webhooks"], validating_["webhooks"]);
}

TEST_F(WebhookConfigurations, AuditTheDefaultOsWhereTheLabelDoesNotSayIt) {
  Config config;
  config.default_os = Os::linux;
  config.audits_default_os = true;
  const Names audited = {"place", "place-audit-default-linux"};
  EXPECT_EQ(placing(config, "", "pods"), audited);
  EXPECT_EQ(placing(config, "", "pods", "warn"), audited);
  EXPECT_EQ(placing(config, "", "pods", "audit"), Names{"place-audit-default-linux"});
  EXPECT_EQ(placing(config, "", "pods", "off"), Names{});
  EXPECT_EQ(placing(config, "", "daemonsets"),
            (Names{"place-daemonsets", "place-audit-default-linux"}));
  EXPECT_EQ(placing(config, "linux", "pods"), (Names{"place", "place-default-linux"}));
  EXPECT_EQ(placing(config, "windows", "pods"), Names{"place-default-windows"});
  EXPECT_EQ(placing(config, "none", "pods"), Names{"place"});
  config.default_os = Os::windows;
  EXPECT_EQ(placing(config, "", "pods"), (Names{"place", "place-audit-default-windows"}));
}

TEST_F(WebhookConfigurations, SayWhichDefaultOsTheyAreFor) {
  Config config;
  std::map<std::string, Config> by_hash = {{match_conditions_hash(config), config}};
  for (const Os os : {Os::linux, Os::windows}) {
    for (const bool audits : {false, true}) {
      config.default_os = os;
      config.audits_default_os = audits;
      by_hash[match_conditions_hash(config)] = config;
    }
  }
  EXPECT_EQ(by_hash.size(), 5U);
  EXPECT_FALSE(match_conditions_fit(annotation_of(mutating_), config));
}

TEST_F(WebhookConfigurations, CallOneWebhookPerWorkloadByModeAndDefaultOs) {
  const std::map<std::string, std::string> of_mode = {
      {"enforce", "workloads"}, {"warn", "warn"}, {"audit", "audit"}};
  for (const auto& [mode, name] : of_mode) {
    const auto workloads = [&](const std::string& os) {
      return called(validating_, {{kModeLabel, mode}, {kDefaultOsLabel, os}}, "deployments");
    };
    EXPECT_EQ(called(validating_, {{kModeLabel, mode}}, "deployments"), Names{name});
    EXPECT_EQ(workloads("linux"), Names{name});
    EXPECT_EQ(workloads("windows"), Names{name + "-default-windows"});
  }
  EXPECT_EQ(called(validating_, {{kModeLabel, "off"}}, "deployments"), Names{});
}

TEST_F(WebhookConfigurations, GiveNamespacesWithoutAModeTheDefaultMode) {
  const std::map<std::string, Names> of_mode = {{"enforce", {"place", "validate"}},
                                                {"warn", {"place", "warn"}},
                                                {"audit", {"audit"}},
                                                {"off", {}}};
  const auto pods = [&](Mode mode, bool opt_in, const Labels& labels) {
    WebhookClient client;
    client.modes = {.default_mode = mode, .opt_in = opt_in};
    const Json all = webhook_configurations({}, client);
    Names names = called(all[0], labels, "pods");
    const Names judging = called(all[1], labels, "pods");
    names.insert(names.end(), judging.begin(), judging.end());
    const auto label = labels.find(std::string(kModeLabel));
    const auto found = find_mode(
        label == labels.end() ? std::nullopt : std::optional<std::string_view>(label->second),
        client.modes);
    EXPECT_EQ(of_mode.at(found ? std::string(to_string(*found)) : "off"), names);
    return names;
  };
  for (const Mode default_mode : {Mode::enforce, Mode::warn, Mode::audit}) {
    SCOPED_TRACE(to_string(default_mode));
    const Names& expected = of_mode.at(std::string(to_string(default_mode)));
    EXPECT_EQ(pods(default_mode, false, {}), expected);
    EXPECT_EQ(pods(default_mode, false, {{kModeLabel, "misspelled"}}), expected);
    EXPECT_EQ(pods(default_mode, true, {}), Names{});
    EXPECT_EQ(pods(default_mode, true, {{kDefaultOsLabel, "windows"}}), Names{});
    for (const auto& [mode, names] : of_mode) {
      EXPECT_EQ(pods(default_mode, false, {{kModeLabel, mode}}), names) << mode;
      EXPECT_EQ(pods(default_mode, true, {{kModeLabel, mode}}), names) << mode;
    }
  }
}

TEST_F(WebhookConfigurations, PlaceDaemonSetsByTheDefaultOsOfTheirNamespace) {
  EXPECT_EQ(called(mutating_, {}, "daemonsets"), (Names{"place-daemonsets"}));
  EXPECT_EQ(called(mutating_, {{kDefaultOsLabel, "windows"}}, "daemonsets"),
            (Names{"place-daemonsets-default-windows"}));
  EXPECT_EQ(called(mutating_, {{kModeLabel, "audit"}}, "daemonsets"), Names{});
  EXPECT_EQ(called(mutating_, {}, "deployments"), Names{}) << "its pods are placed";
}

TEST_F(WebhookConfigurations, ExcludeKubeSystemWinadmitAndExemptNamespaces) {
  Config config;
  config.exempt.namespaces = {"exempt"};
  WebhookClient client;
  client.name_space = "own";
  const Json all = webhook_configurations(config, client);
  for (const Json& configuration : all) {
    for (const std::string resource : {"pods", "daemonsets", "deployments", "pods/resize"}) {
      for (const std::string name : {"kube-system", "own", "exempt"}) {
        EXPECT_EQ(called(configuration, {}, resource, name), Names{}) << resource << " in " << name;
      }
    }
    EXPECT_NE(called(configuration, {}, "pods"), Names{});
  }
}

TEST_F(WebhookConfigurations, FailOnlyIfAPodCanBeRefused) {
  for (const Json& configuration : all_) {
    for (const Json& webhook : configuration["webhooks"]) {
      const auto path = webhook["clientConfig"]["service"]["path"].get<std::string>();
      const bool refuses = path.starts_with("/validate") && covers(webhook, "pods") &&
                           path.find("warn") == path.npos && path.find("audit") == path.npos;
      EXPECT_EQ(webhook["failurePolicy"], refuses ? "Fail" : "Ignore") << webhook["name"];
      EXPECT_EQ(webhook["sideEffects"], "None");
      EXPECT_EQ(webhook["matchPolicy"], "Equivalent");
    }
  }
}

TEST_F(WebhookConfigurations, TakeTheFailurePolicyAndTheTimeoutOfTheClient) {
  WebhookClient client;
  client.failure_policy = "Ignore";
  client.timeout_seconds = 7;
  Config config;
  config.default_os = Os::windows;
  config.audits_default_os = true;
  for (const Json& configuration : webhook_configurations(config, client)) {
    for (const Json& webhook : configuration["webhooks"]) {
      const auto name = webhook["name"].get<std::string>();
      const bool is_for_linux = name.find("linux") != name.npos || name.find("place-audit") == 0;
      EXPECT_EQ(webhook["failurePolicy"], "Ignore") << name;
      EXPECT_EQ(webhook["timeoutSeconds"], is_for_linux ? 1 : 7) << name;
    }
  }
}

TEST_F(WebhookConfigurations, HaveMatchConditionsOnlyIfTheApiServerSupportsThem) {
  Config old;
  old.policy.kubernetes = {1, 27};
  EXPECT_EQ(webhook_configurations(old, {}).dump().find("matchConditions"), std::string::npos);
  Config first;
  first.policy.kubernetes = {1, 28};
  for (const Json& all : {webhook_configurations(first, {}), all_}) {
    for (const Json& configuration : all) {
      for (const Json& webhook : configuration["webhooks"]) {
        EXPECT_FALSE(webhook.value("matchConditions", Json()).empty()) << webhook["name"];
      }
    }
  }
}

TEST_F(WebhookConfigurations, SayForWhichSettingsTheirConditionsAre) {
  EXPECT_EQ(annotation_of(mutating_), annotation_of(validating_));
  EXPECT_TRUE(match_conditions_fit(annotation_of(mutating_), {}));
  Config other;
  other.policy.target.windows_runtime_classes = {"windows-2022"};
  EXPECT_FALSE(match_conditions_fit(annotation_of(mutating_), other));
  EXPECT_FALSE(match_conditions_fit(annotation_of(webhook_configurations(other, {})[0]), {}));
}

TEST_F(WebhookConfigurations, KeepTheAnnotationWhereTheConditionsStayTheSame) {
  Config config;
  config.exempt.namespaces = {"exempt"};
  config.policy.strict = true;
  config.policy.kubernetes = {1, 30};
  EXPECT_EQ(annotation_of(webhook_configurations(config, {})[0]), annotation_of(mutating_));
}

TEST_F(WebhookConfigurations, FitAnySettingsWithoutConditions) {
  Config old;
  old.policy.kubernetes = {1, 27};
  const std::string annotation = annotation_of(webhook_configurations(old, {})[1]);
  EXPECT_EQ(annotation, "off");
  EXPECT_TRUE(match_conditions_fit(annotation, {}));
  EXPECT_TRUE(match_conditions_fit(match_conditions_hash({}), old))
      << "an older release drops the conditions, or has those of the default settings";
}

}  // namespace
}  // namespace winadmit::server
