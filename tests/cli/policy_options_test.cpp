// --config and --kubernetes-version, by `winadmit review`.
#include <gtest/gtest.h>

#include "policy/rules/version.hpp"
#include "tests/cli/binary.hpp"
#include "tests/test_data.hpp"

namespace winadmit {
namespace {

using test::kSamples;
using test::Result;

class PolicyOptionsTest : public test::Binary {};

/// A pipe can be read once: `--config <(helm template ...)`.
TEST_F(PolicyOptionsTest, ReadsAConfigurationFromAPipe) {
  const std::string pod = write("pod.yaml",
                                "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {"
                                "runtimeClassName: windows-2022, hostPID: true, "
                                "containers: [{name: a, image: a}]}}\n");
  const std::string config = write("c.yaml", "windowsRuntimeClasses: [windows-2022]\n");
  for (const std::string command : {"check", "fix"}) {
    const Result piped =
        run(command + " --config /dev/stdin -f " + pod, "cat " + config + " |", "/dev/stdin");
    const Result read = run(command + " --config " + config + " -f " + pod);
    EXPECT_EQ(piped.exit_code, 1) << command << ": " << piped.err;
    EXPECT_EQ(piped.out, read.out) << command;
  }
}

TEST_F(PolicyOptionsTest, RefusesANodeSelectorKeyThatThePlatformHasOtherValuesOf) {
  const std::string config = write("c.yaml", "nodeSelectorKey: kubernetes.azure.com/os-sku\n");
  const std::string pod = write("pod.yaml", "{apiVersion: v1, kind: Pod, metadata: {name: a}}\n");
  const Result fixed = run("fix --platform aks --config " + config + ' ' + pod);
  EXPECT_EQ(fixed.exit_code, 2);
  EXPECT_NE(fixed.err.find("nodeSelectorKey: kubernetes.azure.com/os-sku is a label"),
            std::string::npos)
      << fixed.err;
}

TEST_F(PolicyOptionsTest, ReadsFlagsAndEnvironment) {
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
  for (const std::string version : {"1.13", "0.99", "x", "1", "1.99x", "-1.99"}) {
    EXPECT_EQ(run("review --kubernetes-version " + version + ' ' + bad).exit_code, 2) << version;
    EXPECT_EQ(run("review " + bad, "WINADMIT_KUBERNETES_VERSION=" + version).exit_code, 2)
        << version;
  }
}

TEST_F(PolicyOptionsTest, AcceptsANewerReleaseAndTellsOnceByWhoseRulesItJudges) {
  const std::string newest = to_string(kNewestVersion);
  const std::string next = to_string(Version{kNewestVersion.major, kNewestVersion.minor + 1});
  const auto note = [&](const std::string& named) {
    return "winadmit: Kubernetes " + named + " is newer than " + newest +
           ", the newest release that winadmit knows: the rules of " + newest + " hold\n";
  };
  const std::string bad = kSamples + "unsupported-windows-pod.json";
  for (const std::string& command : {"review " + bad, "check -q " + bad, "fix " + bad,
                                     std::string("rules"), std::string("explain host-pid"),
                                     std::string("export policy"), std::string("export webhook")}) {
    const Result known = run(command + " --kubernetes-version " + newest);
    EXPECT_EQ(known.err.find("newest"), std::string::npos) << known.err;
    for (const std::string& named : {next, std::string("1.99"), std::string("2.0")}) {
      const Result newer = run(command + " --kubernetes-version " + named);
      EXPECT_EQ(newer.exit_code, known.exit_code) << command << ' ' << named;
      EXPECT_EQ(newer.out, known.out) << command << ' ' << named;
      EXPECT_EQ(newer.err, note(named) + known.err) << command;
    }
  }
  const std::string review = "review " + bad;
  EXPECT_EQ(run(review + " --kubernetes-version v" + next + ".0-alpha.1").err, note(next));
  EXPECT_EQ(run(review, "WINADMIT_KUBERNETES_VERSION=" + next).err, note(next));
  const std::string config = write("c.yaml", "kubernetesVersion: '1.98'\n");
  EXPECT_EQ(run(review + " --config " + config).err, note("1.98"));
  EXPECT_EQ(run(review + " --kubernetes-version 1.98 --config " + config).err, note("1.98"));
  EXPECT_EQ(run(review + " --kubernetes-version 1.99 --config " + config).exit_code, 2);
  EXPECT_NE(run("serve --dev --client-ca /nonexistent --kubernetes-version 1.99")
                .out.find("Kubernetes 1.99 is newer than"),
            std::string::npos);
}

TEST_F(PolicyOptionsTest, ChoosesThePlatformByFlagOrFile) {
  const std::string pod = kSamples + "windows-pod.json";
  const std::string review = "review --path /mutate " + pod;
  const std::string gke = write("gke.yaml", "platform: gke\n");
  const std::string by_flag = run(review + " --platform gke").out;
  EXPECT_NE(by_flag, run(review).out);
  EXPECT_EQ(run(review + " --platform kep").out, run(review).out);
  EXPECT_EQ(run(review + " --config " + gke).out, by_flag);
  EXPECT_EQ(run(review + " --platform gke --config " + gke).out, by_flag);
  EXPECT_EQ(run(review, "WINADMIT_PLATFORM=gke").out, by_flag);

  const std::string own = write("own.yaml", "tolerations: [{key: a}]\n");
  EXPECT_EQ(run(review + " --platform gke --config " + own).out,
            run(review + " --config " + own).out)
      << "keys override the platform of the flag, too";

  const Result contradicting = run(review + " --platform aks --config " + gke);
  EXPECT_EQ(contradicting.exit_code, 2);
  EXPECT_NE(contradicting.err.find("contradicts platform in"), std::string::npos)
      << contradicting.err;
  const Result unknown = run(review + " --platform k3s");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("kep,kubernetes,eks,gke,openshift,aks,rke2,any"), std::string::npos)
      << unknown.err;
}

TEST_F(PolicyOptionsTest, ReportsAllErrorsOfAConfiguration) {
  const Result result = run("review --config " + write("c.yaml", "strict: 7\ntolerationz: 1\n") +
                            ' ' + kSamples + "windows-pod.json");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("c.yaml:1: strict must be true or false"), std::string::npos)
      << result.err;
  EXPECT_NE(result.err.find("c.yaml:2: unknown key 'tolerationz'"), std::string::npos)
      << result.err;
}

}  // namespace
}  // namespace winadmit
