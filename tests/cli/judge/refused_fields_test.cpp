#include "cli/judge/refused_fields.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/policy/parsed.hpp"

namespace winadmit::cli {
namespace {

using Lines = std::vector<std::string>;

/// "spec.tolerations[0].operator: Unsupported value: ..." of each.
Lines refused(const std::string& spec, Version kubernetes = kNewestVersion) {
  const test::ParsedPod parsed(spec);
  FindingCollector findings;
  refuse_tolerations(parsed.pod(), kubernetes, findings);
  refuse_windows_fields(parsed.pod(), find_target(parsed.pod(), {}), kubernetes, findings);
  Lines lines;
  for (const Finding& each : findings.extract().kept) {
    EXPECT_EQ(each.action, Action::deny);
    EXPECT_EQ(each.id, "malformed-field");
    lines.push_back(each.field + ": " + each.reason);
  }
  return lines;
}

Lines of_toleration(const std::string& toleration, Version kubernetes = kNewestVersion) {
  return refused(R"({"tolerations": [)" + toleration + "]}", kubernetes);
}

std::string at(const std::string& member, const std::string& text) {
  return "spec.tolerations[0]." + member + ": " + text;
}

TEST(RefusedFields, TolerationsThatTheApiServerTakesAreNotAmongThem) {
  for (const char* each :
       {R"({"operator": "Exists"})", R"({"key": "", "operator": "Exists", "value": ""})",
        R"({"key": "os", "value": "Win1809", "effect": "NoSchedule"})",
        R"({"key": "example.com/os", "operator": "Equal", "value": ""})",
        R"({"key": "os", "operator": null, "effect": "PreferNoSchedule"})",
        R"({"key": "a", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300})"}) {
    EXPECT_EQ(of_toleration(each), Lines{}) << each;
  }
}

TEST(RefusedFields, AreThoseOfTolerationsInTheWordsOfTheApiServer) {
  const std::string no_key =
      "operator must be Exists when `key` is empty, which means \"match all values and all keys\"";
  EXPECT_EQ(
      of_toleration(R"({"key": "os", "operator": "equal", "value": "windows"})"),
      Lines{at("operator", R"(Unsupported value: "equal": supported values: "Equal", "Exists")")});
  EXPECT_EQ(of_toleration(R"({"key": "os", "effect": "noSchedule"})"),
            Lines{at("effect",
                     "Unsupported value: \"noSchedule\": supported values: "
                     "\"NoSchedule\", \"PreferNoSchedule\", \"NoExecute\"")});
  EXPECT_EQ(
      of_toleration(R"({"key": "os", "operator": "Exists", "value": "windows"})"),
      Lines{at("operator",
               "Invalid value: \"windows\": value must be empty when `operator` is 'Exists'")});
  EXPECT_EQ(of_toleration(R"({"operator": "Equal", "value": "windows"})"),
            Lines{at("operator", "Invalid value: \"Equal\": " + no_key)});
  EXPECT_EQ(of_toleration("{}"), Lines{at("operator", "Invalid value: \"\": " + no_key)});
  EXPECT_EQ(of_toleration(R"({"key": "os", "effect": "NoSchedule", "tolerationSeconds": 5})"),
            Lines{at("effect",
                     "Invalid value: \"NoSchedule\": effect must be 'NoExecute' when "
                     "`tolerationSeconds` is set")});
  EXPECT_EQ(of_toleration(R"({"key": "a b", "operator": "Exists"})").size(), 1U);
  EXPECT_EQ(of_toleration(R"({"key": "os", "value": "a b"})").size(), 1U);
  EXPECT_EQ(of_toleration(R"({"operator": "in", "effect": "x", "tolerationSeconds": 1})").size(),
            4U);
}

TEST(RefusedFields, AreTheOperatorsLtAndGtBeforeTheirReleaseOrWithoutAnInteger) {
  const auto with = [](const std::string& value) {
    return R"({"key": "build", "operator": "Gt", "value": ")" + value + "\"}";
  };
  EXPECT_EQ(
      of_toleration(with("5"), {1, 34}),
      Lines{at("operator", R"(Unsupported value: "Gt": supported values: "Equal", "Exists")")});
  for (const char* integer : {"0", "5", "-20348", "9223372036854775807"})
    EXPECT_EQ(of_toleration(with(integer), {1, 35}), Lines{}) << integer;
  for (const char* other : {"", "-", "-0", "05", "+5", "5.0", "0x5", "9223372036854775808", " 5"})
    EXPECT_EQ(of_toleration(with(other), {1, 35}).size(), 1U) << other;
}

Lines of_options(const std::string& options, Version kubernetes = kNewestVersion) {
  return refused(R"({"securityContext": {"windowsOptions": )" + options + "}}", kubernetes);
}

/// What is wrong with an account, as JSON text, without the place and the account.
Lines of_account(const std::string& account) {
  Lines lines = of_options(R"({"runAsUserName": ")" + account + "\"}");
  for (std::string& each : lines) {
    each.erase(0, each.find("\": "));
    each.erase(0, 3);
  }
  return lines;
}

TEST(RefusedFields, AreAccountsThatWindowsCannotHave) {
  const std::string domain = "runAsUserName's Domain doesn't match the NetBios nor the DNS format";
  const std::string characters =
      R"(runAsUserName's User cannot contain the following characters: "/\:;|=,+*?<>@[])";
  struct Case {
    std::string account;  // as JSON text
    Lines reasons;
  };
  const std::string part(63, 'a');
  const Case cases[] = {
      {"ContainerAdministrator", {}},
      {R"(NT AUTHORITY\\SYSTEM)", {}},
      {R"(example.com\\web)", {}},
      {R"(fifteen-letters\\web)", {}},
      {R"(éééééééééééééé5\\web)", {}},
      {part + R"(.com\\web)", {}},
      {R"(.\\web)", {domain}},
      {R"(sixteen_letters1\\web)", {domain}},
      {part + R"(b.com\\web)", {domain}},
      {R"(\\web)", {domain}},
      {R"(a\\b\\c)", {"runAsUserName cannot contain more than one backslash"}},
      {"", {"runAsUserName cannot be an empty string"}},
      {R"(a\tb)", {"runAsUserName cannot contain control characters"}},
      {R"(shop\\)", {"runAsUserName's User cannot be empty"}},
      {". .", {"runAsUserName's User cannot contain only periods or spaces"}},
      {"web@example.com", {characters}},
      {std::string(104, 'u'), {}},
      {std::string(105, 'u'),
       {"runAsUserName's User length must not be longer than 104 characters"}},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(of_account(each.account), each.reasons) << each.account;
  }
  EXPECT_EQ(of_account(std::string(256, 'd') + R"(\\u)"),
            (Lines{"runAsUserName's Domain length must be under 256 characters", domain}));
}

TEST(RefusedFields, AreNamesAndTextsOfCredentialSpecs) {
  EXPECT_EQ(of_options(R"({"gmsaCredentialSpecName": "web-app.v1"})"), Lines{});
  for (const std::string& name : {std::string("Web_App"), std::string(), std::string(254, 'a')})
    EXPECT_EQ(of_options(R"({"gmsaCredentialSpecName": ")" + name + "\"}").size(), 1U) << name;
  EXPECT_EQ(of_options(R"({"gmsaCredentialSpec": ""})").size(), 1U);
  EXPECT_EQ(of_options(R"({"gmsaCredentialSpec": ")" + std::string(65536, 'a') + "\"}"), Lines{});
  EXPECT_EQ(of_options(R"({"gmsaCredentialSpec": ")" + std::string(65537, 'a') + "\"}").size(), 1U);
}

TEST(RefusedFields, AreThoseThatTheReleaseHas) {
  const std::string options = R"({"gmsaCredentialSpecName": "A", "runAsUserName": ""})";
  EXPECT_EQ(of_options(options, {1, 15}).size(), 0U);
  EXPECT_EQ(of_options(options, {1, 16}).size(), 1U);
  EXPECT_EQ(of_options(options, {1, 17}).size(), 2U);
}

TEST(RefusedFields, AreInEachContainer) {
  const std::string container =
      R"([{"securityContext": {"windowsOptions": {"runAsUserName": ""}}}])";
  const Lines lines = refused(R"({"containers": )" + container + R"(, "initContainers": )" +
                              container + R"(, "ephemeralContainers": )" + container + "}");
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines.back(),
            "spec.ephemeralContainers[0].securityContext.windowsOptions.runAsUserName: Invalid "
            "value: \"\": runAsUserName cannot be an empty string");
}

TEST(RefusedFields, AreStopSignalsOfLinuxAndThoseWithoutSpecOs) {
  const auto with = [](const std::string& signal, const std::string& os) {
    return "{" + os + R"(, "containers": [{"lifecycle": {"stopSignal": ")" + signal + "\"}}]}";
  };
  const std::string windows = R"("os": {"name": "windows"})";
  const std::string field = "spec.containers[0].lifecycle.stopSignal: ";
  EXPECT_EQ(
      refused(with("SIGUSR1", windows)),
      Lines{field + R"(Unsupported value: "SIGUSR1": supported values: "SIGKILL", "SIGTERM")"});
  EXPECT_EQ(refused(with("SIGTERM", windows)), Lines{});
  EXPECT_EQ(refused(with("SIGKILL", windows)), Lines{});
  EXPECT_EQ(refused(with("SIGTERM", R"("nodeSelector": {"kubernetes.io/os": "windows"})")),
            Lines{field + "Forbidden: may not be set for containers with empty `spec.os.name`"});
  EXPECT_EQ(refused(with("SIGUSR1", R"("os": {"name": "linux"})")), Lines{});
  EXPECT_EQ(refused(with("SIGUSR1", windows), {1, 32}), Lines{});
}

}  // namespace
}  // namespace winadmit::cli
