// The binary as a user calls it: output, exit codes, flags and their environment twins.
#include "tests/cli/binary.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "tests/test_data.hpp"

namespace winadmit {
namespace {

using test::Binary;
using test::read;
using test::Result;

const std::string kSamples = test::source("samples/").string();

TEST_F(Binary, IsOfNoUseWithoutASubcommand) {
  EXPECT_EQ(run("").exit_code, 2);
  EXPECT_EQ(run("nonsense").exit_code, 2);
  EXPECT_EQ(run("--help").exit_code, 0);
  EXPECT_EQ(run("serve --help").exit_code, 0);
  EXPECT_NE(run("--nonsense").err, "");
}

TEST_F(Binary, PrintsItsVersionAsJson) {
  const Result version = run("version");
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_TRUE(nlohmann::json::parse(version.out).contains("version"));
}

TEST_F(Binary, ReviewsWithTheExitCodeOfTheVerdict) {
  const std::string good = kSamples + "windows-pod.json";
  const std::string bad = kSamples + "unsupported-windows-pod.json";
  EXPECT_EQ(run("review " + good).exit_code, 0);
  const Result refused = run("review " + bad);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_EQ(nlohmann::json::parse(refused.out)["response"]["allowed"], false);
  EXPECT_EQ(run("review --path /validate/warn " + bad).exit_code, 0);
  const Result placed = run("review --path /mutate " + good);
  EXPECT_EQ(placed.exit_code, 0);
  EXPECT_TRUE(nlohmann::json::parse(placed.out)["response"].contains("patch"));
  EXPECT_EQ(run("review -").exit_code, 2) << "standard input is empty";
}

TEST_F(Binary, ReviewsNothingThatCannotBeRead) {
  for (const std::string& arguments :
       {std::string("review /nonexistent.json"),
        std::string("review --path /elsewhere ") + kSamples + "windows-pod.json",
        "review " + write("broken.json", "{"), std::string("review /"),
        std::string("review --nonsense")}) {
    SCOPED_TRACE(arguments);
    const Result result = run(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err, "");
  }
}

TEST_F(Binary, RulesAreOneListInThreeForms) {
  const Result json = run("rules -o json");
  EXPECT_EQ(json.exit_code, 0);
  const auto rules = nlohmann::json::parse(json.out);
  ASSERT_TRUE(rules.is_array());
  const std::string table = run("rules").out, markdown = run("rules -o markdown").out;
  for (const auto& rule : rules) {
    const auto id = rule["id"].get<std::string>();
    EXPECT_NE(table.find(id), std::string::npos) << id;
    EXPECT_NE(markdown.find(id), std::string::npos) << id;
  }
  EXPECT_EQ(run("rules -o yaml").exit_code, 2);
  EXPECT_EQ(run("rules --kubernetes-version one").exit_code, 2);
  EXPECT_LT(nlohmann::json::parse(run("rules -o json --kubernetes-version 1.14").out).size(),
            rules.size());
}

TEST_F(Binary, ExplainsARuleAndAField) {
  const Result by_id = run("explain host-pid");
  EXPECT_EQ(by_id.exit_code, 0);
  EXPECT_NE(by_id.out.find("https://"), std::string::npos);
  EXPECT_EQ(run("explain spec.hostPID").out, by_id.out);
  EXPECT_EQ(run("explain 'spec.template.spec.hostPID'").out, by_id.out);
  EXPECT_NE(
      run("explain 'spec.containers[0].securityContext.privileged'").out.find("ctr-privileged"),
      std::string::npos);
  EXPECT_EQ(run("explain advice-unplaced").exit_code, 0);
  const Result unknown = run("explain privileged-x");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("privileged-x"), std::string::npos);
}

TEST_F(Binary, TakesConfigurationFromFlagAndEnvironment) {
  const std::string bad = kSamples + "unsupported-windows-pod.json";
  const std::string config =
      write("c.yaml", "rules: {host-pid: allow}\nkubernetesVersion: '1.30'\n");
  const std::string with_flag = run("review --config " + config + ' ' + bad).out;
  EXPECT_EQ(with_flag.find("host-pid"), std::string::npos);
  EXPECT_EQ(run("review " + bad, "WINADMIT_CONFIG=" + config).out, with_flag);
  EXPECT_EQ(run("review --config " + config + " --kubernetes-version 1.30 " + bad).out, with_flag);

  const Result contradicting =
      run("review --config " + config + " --kubernetes-version 1.31 " + bad);
  EXPECT_EQ(contradicting.exit_code, 2);
  EXPECT_NE(contradicting.err.find("contradicts"), std::string::npos) << contradicting.err;
  for (const std::string version : {"1.13", "1.99", "x", "1"}) {
    EXPECT_EQ(run("review --kubernetes-version " + version + ' ' + bad).exit_code, 2) << version;
    EXPECT_EQ(run("review " + bad, "WINADMIT_KUBERNETES_VERSION=" + version).exit_code, 2)
        << version;
  }
}

TEST_F(Binary, SaysAllThatIsWrongWithAConfiguration) {
  const Result result = run("review --config " + write("c.yaml", "strict: 7\ntolerationz: 1\n") +
                            ' ' + kSamples + "windows-pod.json");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("c.yaml:1: strict must be true or false"), std::string::npos)
      << result.err;
  EXPECT_NE(result.err.find("c.yaml:2: unknown key 'tolerationz'"), std::string::npos)
      << result.err;
}

TEST_F(Binary, DoesNotServeOnContradictoryOrUnknownFlags) {
  for (const char* arguments :
       {"serve", "serve --dev --tls-cert a --tls-key b", "serve --tls-cert a", "serve --tls-key a",
        "serve --tls-cert /nonexistent --tls-key /nonexistent", "serve --dev --nonsense",
        "serve --dev --threads 0", "serve --dev --threads x", "serve --dev --log-level loud",
        "serve --dev --log-format xml", "serve --dev --max-body -1", "serve --dev --drain-delay -1",
        "serve --dev --listen nowhere", "serve --dev --listen 127.0.0.1:99999",
        "serve --dev --client-ca /nonexistent --listen 127.0.0.1:0 --admin-listen 127.0.0.1:0",
        "serve --dev --client-name kube-apiserver", "serve --dev --client-ca x --client-name ''",
        "serve --dev extra"}) {
    SCOPED_TRACE(arguments);
    const Result result = run(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_NE(result.err, "");
  }
  EXPECT_NE(run("serve --dev --client-name a").err.find("--client-name needs --client-ca"),
            std::string::npos);
  EXPECT_NE(run("serve --dev", "WINADMIT_CLIENT_NAME=a,b").err.find("--client-name needs"),
            std::string::npos);
  EXPECT_EQ(run("serve --dev", "WINADMIT_THREADS=0").exit_code, 2);
  EXPECT_EQ(run("serve --dev", "WINADMIT_LOG_LEVEL=loud").exit_code, 2);
}

/// The long flags in a text.
std::set<std::string> flags_in(const std::string& text) {
  static const std::regex kFlag(R"((^|[^-\w])(--[a-z][a-z-]*[a-z]))");
  std::set<std::string> flags;
  for (auto it = std::sregex_iterator(text.begin(), text.end(), kFlag);
       it != std::sregex_iterator(); ++it) {
    flags.insert((*it)[2]);
  }
  return flags;
}

TEST_F(Binary, EveryFlagOfServeIsInTheReference) {
  const std::string text = read(test::source("docs/reference.md"));
  const auto documented = flags_in(text);
  for (const std::string& flag : flags_in(run("serve --help").out)) {
    EXPECT_TRUE(flag == "--help" || documented.contains(flag)) << flag;
  }
}

}  // namespace
}  // namespace winadmit
