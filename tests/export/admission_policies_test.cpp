// Which objects are exported, and what selects them. The end-to-end tests apply them.
#include "export/admission_policies.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "bytes/digest.hpp"
#include "policy/judge/advice_kinds.hpp"
#include "policy/rules/version.hpp"
#include "tests/text.hpp"

namespace winadmit::server {
namespace {

using Json = nlohmann::ordered_json;
using test::contains;

Config config_for(int minor = kNewestVersion.minor) {
  Config config;
  config.policy.kubernetes = {1, minor};
  return config;
}

std::vector<std::string> names(const std::vector<Json>& objects, std::string_view kind) {
  std::vector<std::string> found;
  for (const Json& each : objects) {
    if (each["kind"] == kind) found.push_back(each["metadata"]["name"]);
  }
  return found;
}

/// Throws if there is none.
const Json& named(const std::vector<Json>& objects, std::string_view name) {
  const auto found = std::ranges::find_if(
      objects, [&](const Json& each) { return each["metadata"]["name"] == name; });
  return objects.at(static_cast<std::size_t>(found - objects.begin()));
}

TEST(AdmissionPolicies, PlaceInTheApiVersionOfTheRelease) {
  EXPECT_FALSE(mutating_policy_api({1, 31}));
  EXPECT_EQ(mutating_policy_api({1, 32})->api_version, "v1alpha1");
  EXPECT_EQ(mutating_policy_api({1, 33})->api_version, "v1alpha1");
  EXPECT_EQ(mutating_policy_api({1, 35})->api_version, "v1beta1");
  EXPECT_FALSE(mutating_policy_api({1, 35})->turn_on.empty());
  EXPECT_EQ(mutating_policy_api({1, 36})->api_version, "v1");
  EXPECT_TRUE(mutating_policy_api({1, 36})->turn_on.empty());
  EXPECT_TRUE(names(admission_policies(config_for(30), {}), "MutatingAdmissionPolicy").empty());
  EXPECT_EQ(named(admission_policies(config_for(34), {}), "winadmit-placement")["apiVersion"],
            "admissionregistration.k8s.io/v1beta1");
}

TEST(AdmissionPolicies, BindEveryPolicyForEveryMode) {
  const auto objects = admission_policies(config_for(), {});
  const auto policies = names(objects, "ValidatingAdmissionPolicy");
  EXPECT_EQ(policies.size(), 6U);
  EXPECT_EQ(names(objects, "ValidatingAdmissionPolicyBinding").size(), policies.size() * 4);
  EXPECT_EQ(names(objects, "MutatingAdmissionPolicyBinding").size(), 3U);
  for (const Json& each : objects) {
    if (!each["spec"].contains("policyName")) continue;
    EXPECT_NO_THROW(named(objects, each["spec"]["policyName"].get<std::string>()));
  }
}

TEST(AdmissionPolicies, RefuseNewFindingsOfPodsInModeEnforceAlone) {
  const auto objects = admission_policies(config_for(), {});
  std::set<std::string> denying;
  for (const Json& each : objects) {
    if (each["spec"].contains("validationActions") &&
        each["spec"]["validationActions"] == Json::array({"Deny"})) {
      denying.insert(each["metadata"]["name"]);
    }
  }
  EXPECT_EQ(denying, (std::set<std::string>{"winadmit-denials-enforce",
                                            "winadmit-denials-enforce-default-windows"}));
}

TEST(AdmissionPolicies, RefuseWorkloadsByConfiguration) {
  Config config = config_for();
  config.policy.workloads = Action::deny;
  const auto objects = admission_policies(config, {});
  EXPECT_EQ(named(objects, "winadmit-denials-workloads")["spec"]["validationActions"],
            Json::array({"Deny"}));
  EXPECT_EQ(named(objects, "winadmit-warnings-workloads")["spec"]["validationActions"],
            Json::array({"Warn"}));
}

TEST(AdmissionPolicies, NameTheOtherProblemsOfWhatTheyRefuse) {
  for (const Action workloads : {Action::warn, Action::deny}) {
    Config config = config_for();
    config.policy.workloads = workloads;
    const auto objects = admission_policies(config, {});
    const Json& others = named(objects, "winadmit-denials")["spec"]["variables"].back();
    EXPECT_EQ(others["name"], "otherFindings");
    EXPECT_EQ(contains(others["expression"].get<std::string>(), "request.kind.kind == 'Pod'"),
              workloads == Action::warn)
        << "the pods alone are refused";
  }
}

TEST(AdmissionPolicies, GiveNamespacesWithoutAModeTheDefaultMode) {
  const auto objects = admission_policies(config_for(), {.modes = {.default_mode = Mode::audit}});
  EXPECT_TRUE(contains(named(objects, "winadmit-denials").dump(), "? label : 'audit')[0]"));
  const Json& resources = named(objects, "winadmit-denials-audit")["spec"]["matchResources"];
  EXPECT_EQ(resources["namespaceSelector"]["matchExpressions"][1]["operator"], "NotIn");
}

/// kubernetes/kubernetes#130887: parameters may never be read again.
TEST(AdmissionPolicies, HaveTheConfigurationInThemAndNoParameters) {
  Config config = config_for();
  config.exempt.users = {"a", "b c"};
  config.exempt.groups = {"g"};
  config.exempt.runtime_classes = {"r"};
  config.policy.target.windows_runtime_classes = {"w"};
  for (const Json& each : admission_policies(config, {})) {
    const std::string text = each.dump();
    for (const std::string_view parameter : {"paramKind", "paramRef", "params."}) {
      EXPECT_FALSE(contains(text, parameter)) << each["metadata"]["name"];
    }
    if (each["spec"].contains("policyName")) continue;
    EXPECT_TRUE(contains(text, "request.userInfo.username in ['a', 'b c']"));
    EXPECT_TRUE(contains(text, "exists(group, group in ['g'])"));
    EXPECT_TRUE(contains(text, "['r'])"));
    EXPECT_TRUE(contains(text, R"("expression":"[\"w\"]")"));
  }
}

TEST(AdmissionPolicies, SkipPodsWithoutASignalOnlyWhereNoDefaultOsIsTheirs) {
  for (const Json& each : admission_policies(config_for(), {})) {
    if (!each["spec"].contains("matchConditions")) continue;
    const auto name = each["metadata"]["name"].get<std::string>();
    EXPECT_EQ(contains(each["spec"]["matchConditions"].dump(), "may-be-windows"),
              !contains(name, "default"))
        << name;
  }
}

TEST(AdmissionPolicies, PlaceByTheDefaultOsOfTheConfiguration) {
  const auto requirement = [](const Config& config, std::string_view name) {
    for (const Json& each : admission_policies(config, {})) {
      const Json& spec = each["spec"];
      if (each["metadata"]["name"] != name || !spec.contains("policyName")) continue;
      return spec["matchResources"]["namespaceSelector"]["matchExpressions"][2];
    }
    return Json();
  };
  const Json in_linux = {{"key", kDefaultOsLabel}, {"operator", "In"}, {"values", {"linux"}}};
  const Json by_default = {
      {"key", kDefaultOsLabel}, {"operator", "NotIn"}, {"values", {"windows", "none"}}};
  Config config = config_for();
  EXPECT_EQ(requirement(config, "winadmit-placement-default-linux"), in_linux);
  config.default_os = Os::linux;
  EXPECT_EQ(requirement(config, "winadmit-placement-default-linux"), by_default);
  config.audits_default_os = true;
  EXPECT_EQ(requirement(config, "winadmit-placement-default-linux"), in_linux);
  EXPECT_TRUE(std::ranges::any_of(
      policy_gaps(config), [](const PolicyGap& each) { return each.what == "defaultOsMode"; }));
}

TEST(AdmissionPolicies, ExcludeExemptNamespacesInEveryBinding) {
  Config config = config_for();
  config.exempt.namespaces = {"legacy"};
  for (const Json& each : admission_policies(config, {})) {
    if (!each["spec"].contains("policyName")) continue;
    EXPECT_EQ(each["spec"]["matchResources"]["namespaceSelector"]["matchExpressions"][0]["values"],
              Json::array({"kube-system", "legacy"}))
        << each["metadata"]["name"];
  }
}

TEST(AdmissionPolicies, SayWhatTheyAreMadeFrom) {
  const std::string yaml =
      "# of one cluster\nplatform: aks\nstrict: true\n"
      "exempt: {namespaces: [b, a, kube-system], users: [u]}\nrules: {host-pid: warn}\n";
  const auto from = [](const std::string& file, const PolicyExport& options = {}) {
    const auto objects = admission_policies(parse_config(file, "c.yaml"), options);
    const Json& first = objects.front()["metadata"]["annotations"][kExportedFromAnnotation];
    for (const Json& each : objects) {
      EXPECT_EQ(each["metadata"]["annotations"][kExportedFromAnnotation], first);
    }
    return Json::parse(first.get<std::string>());
  };
  const Json made = from(yaml, {.modes = {.default_mode = Mode::audit, .opt_in = true}});
  EXPECT_EQ(made["defaultMode"], "audit");
  EXPECT_EQ(made["optIn"], true);
  EXPECT_EQ(made["platform"], "aks");
  EXPECT_EQ(made["defaultOs"], "");
  EXPECT_EQ(made["exemptNamespaces"], Json::array({"a", "b", "kube-system"}));
  EXPECT_EQ(made["kubernetesVersion"], to_string(kNewestVersion));
  EXPECT_EQ(made["config"],
            sha256(R"({"exempt":{"users":["u"]},"rules":{"host-pid":"warn"},"strict":true})"));
  EXPECT_EQ(
      from("platform: eks\nkubernetesVersion: \"1.34\"\nexempt: {namespaces: [a]}\n")["config"],
      sha256("{}"));
  EXPECT_EQ(from("")["config"], sha256("{}"));
  EXPECT_EQ(from("defaultOs: linux\ndefaultOsMode: audit\n")["defaultOs"], "")
      << "the policies audit nothing";
  EXPECT_EQ(from("defaultOs: linux\n")["defaultOs"], "linux");
  EXPECT_EQ(from("defaultOs: linux\n")["config"], sha256("{}"));
}

TEST(AdmissionPolicies, NameEachVariableOnceAndUseNoneThatIsMissing) {
  for (const Json& each : admission_policies(config_for(), {})) {
    if (!each["spec"].contains("variables")) continue;
    std::set<std::string> defined;
    for (const Json& variable : each["spec"]["variables"]) {
      const auto text = variable["expression"].get<std::string>();
      for (std::size_t at = text.find("variables."); at != text.npos;
           at = text.find("variables.", at + 1)) {
        const std::size_t begin = at + std::string_view("variables.").size();
        std::size_t end = begin;
        while (end < text.size() && std::isalnum(static_cast<unsigned char>(text[end])) != 0) ++end;
        EXPECT_TRUE(defined.contains(text.substr(begin, end - begin)))
            << variable["name"] << " reads " << text.substr(begin, end - begin);
      }
      EXPECT_TRUE(defined.insert(variable["name"]).second) << variable["name"];
    }
  }
}

TEST(AdmissionPolicies, EndEveryMessageWithTheRule) {
  const auto ids = finding_ids();
  for (const Json& each : admission_policies(config_for(), {})) {
    if (each["kind"] != "ValidatingAdmissionPolicy") continue;
    EXPECT_GE(each["spec"]["validations"].size(), 40U);
    for (const Json& validation : each["spec"]["validations"]) {
      const bool is_text = validation.contains("message");
      const auto message = validation[is_text ? "message" : "messageExpression"].get<std::string>();
      EXPECT_TRUE(std::ranges::any_of(ids, [&](std::string_view id) {
        const std::string end = " (" + std::string(id) + ')';
        return is_text ? message.ends_with(end) : contains(message, end + '\'');
      })) << message;
      EXPECT_EQ(validation["reason"], "Forbidden");
    }
  }
}

TEST(AdmissionPolicies, SelectNamespacesByLabelWhereTheyOptIn) {
  for (const Json& each : admission_policies(config_for(), {.modes = {.opt_in = true}})) {
    if (!each["spec"].contains("policyName")) continue;
    const Json& all = each["spec"]["matchResources"]["namespaceSelector"]["matchExpressions"];
    EXPECT_EQ(all.back()["operator"], "Exists") << each["metadata"]["name"];
  }
}

TEST(AdmissionPolicies, HaveNoEmptyExpressionWhateverTheRulesDo) {
  for (const Action action : {Action::allow, Action::warn, Action::deny}) {
    Config config = config_for();
    for (const Rule& rule : rules()) config.policy.actions[std::string(rule.id)] = action;
    for (const AdviceKind& kind : advice_kinds()) {
      config.policy.actions[std::string(kind.id)] = action;
    }
    for (const Json& each : admission_policies(config, {})) {
      for (const Json& variable : each["spec"].value("variables", Json::array())) {
        EXPECT_NE(variable["expression"], "") << each["metadata"]["name"] << variable["name"];
      }
    }
  }
}

}  // namespace
}  // namespace winadmit::server
