// What the generated pods of naive_test do not reach: settings, errors and messages.
#include "policy/judge/validate.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/policy/parsed.hpp"

namespace winadmit {
namespace {

using Lines = std::vector<std::string>;

struct Result {
  Lines findings;  // "deny spec.hostPID"
  std::string errors;
};

Result validate(std::string_view spec, const Settings& settings = {},
                ValidateAs as = ValidateAs::configured) {
  const test::ParsedPod parsed(spec);
  FindingCollector collector;
  FieldErrors errors;
  Validator(rules(), settings).validate(parsed.pod(), collector, errors, as);
  Result result{.findings = {}, .errors = errors.message()};
  for (const Finding& each : collector.extract().kept) {
    result.findings.push_back(std::string(to_string(each.action)) + ' ' + each.field);
  }
  return result;
}

TEST(Validate, ReportsFieldsOfThePodAndOfEachContainer) {
  const Result result = validate(
      R"({"hostPID": true, "containers": [{"name": "a"}, {"securityContext": {"privileged": true}}],
          "initContainers": [{"securityContext": {"privileged": true}}]})");
  EXPECT_EQ(result.findings,
            (Lines{"deny spec.hostPID", "deny spec.containers[1].securityContext.privileged",
                   "deny spec.initContainers[0].securityContext.privileged"}));
  EXPECT_EQ(result.errors, "");
}

TEST(Validate, ReportsTheForbiddenKeyOfAMap) {
  const Result result = validate(
      R"({"containers": [{"resources": {"limits": {"cpu": 1, "hugepages-2Mi": "4Mi"}}}]})");
  EXPECT_EQ(result.findings, Lines{"deny spec.containers[0].resources.limits[hugepages-2Mi]"});
  EXPECT_EQ(
      validate(R"({"containers": [{"resources": {"limits": {"hugepages-2Mi": null}}}]})").findings,
      Lines{});
}

TEST(Validate, TakesNullForAbsent) {
  const Result result = validate(R"({"hostPID": null, "containers": [null], "volumes": null})");
  EXPECT_EQ(result.findings, Lines{});
  EXPECT_EQ(result.errors, "");
}

TEST(Validate, AddsAnErrorForAWrongType) {
  EXPECT_EQ(validate(R"({"hostPID": "true"})").errors,
            "spec.hostPID must be a boolean, not a string");
  EXPECT_EQ(validate(R"({"volumes": {}})").errors, "spec.volumes must be a list, not an object");
  EXPECT_EQ(validate(R"({"volumes": [1]})").errors,
            "spec.volumes[0] must be an object, not a number");
  // Members that predicates read.
  EXPECT_EQ(validate(R"({"securityContext": {"seccompProfile": {"type": 1}}})").errors,
            "spec.securityContext.seccompProfile.type must be a string, not a number");
  EXPECT_EQ(validate(R"({"dnsConfig": {"searches": "a"}})").errors,
            "spec.dnsConfig.searches must be a list, not a string");
  EXPECT_EQ(
      validate(R"({"containers": [{"securityContext": {"capabilities": {"add": "a"}}}]})").errors,
      "spec.containers[0].securityContext.capabilities.add must be a list, not a string");
}

TEST(Validate, AddsAnErrorForADuplicateKey) {
  for (const std::string_view spec :
       {R"({"hostPID": false, "hostPID": true})",
        R"({"containers": [{"resources": {"limits": {"hugepages-2Mi": 1, "hugepages-2Mi": 2}}}]})",
        R"({"resources": {"limits": {"cpu": 1}, "limits": {}}})"}) {
    EXPECT_NE(validate(spec).errors, "") << spec;
  }
  EXPECT_EQ(validate(R"({"hostname": "a", "hostname": "b"})").errors, "") << "no rule reads it";
}

TEST(Validate, FollowsTheConfiguredAction) {
  Settings settings;
  settings.actions["host-pid"] = Action::warn;
  EXPECT_EQ(validate(R"({"hostPID": true})", settings).findings, Lines{"warn spec.hostPID"});
  settings.actions["host-pid"] = Action::allow;
  EXPECT_EQ(validate(R"({"hostPID": true})", settings).findings, Lines{});
}

TEST(Validate, UnderStrictDeniesValuesWithoutEffect) {
  Settings settings;
  EXPECT_EQ(validate(R"({"hostPID": false})", settings).findings, Lines{});
  settings.strict = true;
  EXPECT_EQ(validate(R"({"hostPID": false})", settings).findings, Lines{"deny spec.hostPID"});
}

TEST(Validate, WithSpecOsDeniesWhatTheApiServerRefuses) {
  const std::string field = R"("securityContext": {"fsGroupChangePolicy": "Always"})";
  const Lines warned = {"warn spec.securityContext.fsGroupChangePolicy"};
  const Lines denied = {"deny spec.securityContext.fsGroupChangePolicy"};
  const std::string with_os = R"({"os": {"name": "windows"}, )" + field + '}';
  Settings settings;
  EXPECT_EQ(validate('{' + field + '}', settings).findings, warned);
  EXPECT_EQ(validate(with_os, settings).findings, denied);
  EXPECT_EQ(validate('{' + field + '}', settings, ValidateAs::api_server_with_spec_os).findings,
            denied);
  settings.actions["fs-group-change-policy"] = Action::allow;
  EXPECT_EQ(validate('{' + field + '}', settings, ValidateAs::api_server_with_spec_os).findings,
            denied)
      << "configuration cannot allow it";
  settings.kubernetes = {1, 23};  // the API server does not look at spec.os yet
  settings.actions.clear();
  EXPECT_EQ(validate(with_os, settings).findings, warned);
}

TEST(Validate, ReportsTheTextsOfTheRow) {
  const Rule kRows[] = {{.id = "a",
                         .field = "hostPID",
                         .forbids = is_true,
                         .versions = since(1, 14),
                         .reason = "it is of no use",
                         .instead = "remove it",
                         .source = "https://kubernetes.io/"},
                        {.id = "b",
                         .field = "hostIPC",
                         .forbids = is_true,
                         .versions = since(1, 14),
                         .action = Action::warn,
                         .reason = "nobody reads it",
                         .instead = "leave it out",
                         .source = "https://kubernetes.io/"}};
  const test::ParsedPod parsed(R"({"hostPID": true, "hostIPC": true})");
  const Settings settings;
  FindingCollector collector;
  FieldErrors errors;
  Validator(kRows, settings).validate(parsed.pod(), collector, errors);
  const auto kept = collector.extract().kept;
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept[0].message(),
            "spec.hostPID: cannot be set for a windows pod: it is of no use; remove it (a)");
  EXPECT_EQ(kept[1].message(),
            "spec.hostIPC: should not be set for a windows pod: nobody reads it; leave it out (b)");
}

TEST(Validate, WritesNoLeadForAValueAndTheAdviceBesideSpecOs) {
  const Rule kRows[] = {{.id = "a",
                         .field = "dnsPolicy",
                         .forbids = one_of<"Default">,
                         .versions = since(1, 14),
                         .reason = "Default is wrong",
                         .instead = "set spec.os, then use None",
                         .instead_with_spec_os = "use None",
                         .source = "https://kubernetes.io/"}};
  const auto message_for = [&](const std::string& spec) {
    const test::ParsedPod parsed(spec);
    const Settings settings;
    FindingCollector collector;
    FieldErrors errors;
    Validator(kRows, settings).validate(parsed.pod(), collector, errors);
    const auto kept = collector.extract().kept;
    return kept.size() == 1 ? kept[0].message() : "";
  };
  EXPECT_EQ(message_for(R"({"dnsPolicy": "Default"})"),
            "spec.dnsPolicy: Default is wrong; set spec.os, then use None (a)");
  EXPECT_EQ(message_for(R"({"os": {"name": "windows"}, "dnsPolicy": "Default"})"),
            "spec.dnsPolicy: Default is wrong; use None (a)");
}

TEST(Validate, TellsNoEphemeralContainerToSetSpecOs) {
  const auto instead_for = [&](const std::string& list, const std::string& os = "") {
    const test::ParsedPod parsed(
        "{" + os + "\"" + list +
        R"(": [{"securityContext": {"allowPrivilegeEscalation": true}}]})");
    FindingCollector collector;
    FieldErrors errors;
    const Settings settings;
    Validator(rules(), settings).validate(parsed.pod(), collector, errors);
    const auto kept = collector.extract().kept;
    return kept.size() == 1 ? std::string(kept[0].instead) : "";
  };
  EXPECT_NE(instead_for("containers").find("set spec.os"), std::string::npos);
  EXPECT_EQ(instead_for("ephemeralContainers"),
            "set it to false if Pod Security asks for it, else remove it");
  EXPECT_EQ(instead_for("ephemeralContainers", R"("os": {"name": "windows"}, )"), "remove it");
}

}  // namespace
}  // namespace winadmit
