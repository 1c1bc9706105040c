// `winadmit explain`.
#include <gtest/gtest.h>

#include <string>

#include "cli/rules/field_query.hpp"
#include "policy/rules/version.hpp"
#include "tests/cli/binary.hpp"
#include "tests/test_data.hpp"

namespace winadmit {
namespace {

using test::Result;

class ExplainCommand : public test::Binary {};

TEST_F(ExplainCommand, ExplainsARuleAndAField) {
  const Result by_id = run("explain host-pid");
  EXPECT_EQ(by_id.exit_code, 0);
  EXPECT_NE(by_id.out.find("https://"), std::string::npos);
  EXPECT_EQ(run("explain spec.hostPID").out, by_id.out);
  EXPECT_EQ(run("explain 'spec.template.spec.hostPID'").out, by_id.out);
  EXPECT_TRUE(run("explain 'spec.containers[0].securityContext.privileged'")
                  .out.starts_with("privileged\n"));
  EXPECT_EQ(run("explain advice-unplaced").exit_code, 0);
  EXPECT_NE(run("explain advice-memory").out.find("action:      off"), std::string::npos);
  const Result unknown = run("explain privileged-x");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("privileged-x"), std::string::npos);
}

TEST_F(ExplainCommand, ShowsTheNewestRowOfARuleFirst) {
  for (const char* what : {"host-pid", "spec.hostPID"}) {
    const std::string text = run(std::string("explain ") + what).out;
    EXPECT_LT(text.find("1.22+"), text.find("1.14-1.21")) << what;
    EXPECT_NE(text.find("1.14-1.21"), std::string::npos) << what;
  }
}

TEST_F(ExplainCommand, TakesFieldsAsKubectlExplainHasThemAndNamesAlone) {
  EXPECT_EQ(run("explain .spec.hostPID").out, run("explain spec.hostPID").out);
  const std::string privileged = run("explain 'spec.containers[*].securityContext.privileged'").out;
  EXPECT_NE(privileged, "");
  for (const char* path :
       {"spec.containers.securityContext.privileged", "containers.securityContext.privileged",
        "pod.spec.containers.securityContext.privileged",
        "deployments.spec.template.spec.containers.securityContext.privileged",
        "cronjob.spec.jobTemplate.spec.template.spec.containers.securityContext.privileged",
        ".spec.template.spec.containers.securityContext.privileged"})
    EXPECT_EQ(run(std::string("explain ") + path).out, privileged) << path;
  EXPECT_EQ(run("explain spec.containers.ports.protocol").out,
            run("explain 'spec.containers[0].ports[0].protocol'").out);
  for (const char* name : {"windowsOptions", "hostProcess", "privileged", "image"})
    EXPECT_EQ(run(std::string("explain ") + name).exit_code, 0) << name;
  EXPECT_NE(run("explain windowsOptions").out.find("windowsOptions"), std::string::npos);
}

TEST_F(ExplainCommand, TakesAFieldOfATemplateOfAnotherKind) {
  EXPECT_EQ(run("explain 'spec.tasks[0].template.spec.hostIPC'").out,
            run("explain spec.hostIPC").out);
  EXPECT_EQ(run("explain 'spec.nodeSelector[a.template.b]'").exit_code, 0);
  EXPECT_TRUE(run("explain volumes.ephemeral.volumeClaimTemplate.spec.volumeMode")
                  .out.starts_with("ephemeral-volume-mode\n"));
}

TEST_F(ExplainCommand, NamesTheFieldThatCoversAnotherOnlyIfItIsBelow) {
  const std::string value = run("explain spec.readinessGates.conditionType").out;
  EXPECT_NE(value.find("as all of spec.readinessGates, allowed"), std::string::npos) << value;
  for (const char* name : {"imagePullPolicy", "envFrom", "stdinOnce", "serviceAccountName",
                           "priorityClassName", "spec.readinessGates"}) {
    const std::string text = run(std::string("explain ") + name).out;
    EXPECT_NE(text.find("allowed for a windows pod"), std::string::npos) << text;
    EXPECT_EQ(text.find("as all of"), std::string::npos) << text;
  }
}

TEST_F(ExplainCommand, TakesTheLastNamesOfAPath) {
  const std::string sub_path = run("explain subPath").out;
  EXPECT_NE(sub_path, "");
  for (const std::string names : {"volumeMounts.subPath", "'volumeMounts[0].subPath'",
                                  "'containers[*].volumeMounts.subPath'"})
    EXPECT_NE(run("explain " + names).out.find("sub-path\n"), std::string::npos) << names;
  EXPECT_EQ(run("explain capabilities.add").out,
            run("explain securityContext.capabilities.add").out);
  EXPECT_EQ(run("explain hostPath.type").out, run("explain 'volumes[*].hostPath.type'").out);
  for (const char* names : {"Mounts.subPath", "volumeMounts.sub", "subPath.", "."})
    EXPECT_EQ(run(std::string("explain ") + names).exit_code, 2) << names;
}

TEST_F(ExplainCommand, SuggestsIdsAndFields) {
  EXPECT_NE(run("explain hostpit").err.find("did you mean host-pid?"), std::string::npos);
  EXPECT_NE(run("explain spec.hostPidd").err.find("did you mean spec.hostPID?"), std::string::npos);
  EXPECT_NE(run("explain priviliged").err.find("did you mean privileged?"), std::string::npos);
  EXPECT_NE(run("explain Spec.HostPID").err.find("did you mean spec.hostPID?"), std::string::npos);
  EXPECT_EQ(run("explain 'x\x1b'").err.find('\x1b'), std::string::npos);
}

TEST_F(ExplainCommand, ExplainsOneRelease) {
  const Result all = run("explain host-pid"),
               old = run("explain host-pid --kubernetes-version 1.21");
  EXPECT_NE(all.out.find("1.22+"), std::string::npos);
  EXPECT_EQ(old.out.find("1.22+"), std::string::npos) << old.out;
  const std::string without_spec_os = "Exception: every container is a HostProcess container.\n";
  EXPECT_NE(run("explain host-pid --kubernetes-version 1.23").out.find(without_spec_os),
            std::string::npos);
  EXPECT_EQ(run("explain host-pid --kubernetes-version 1.24").out.find(without_spec_os),
            std::string::npos);
  EXPECT_EQ(run("explain privileged --kubernetes-version 1.23").out.find("ith spec.os"),
            std::string::npos);
  EXPECT_EQ(run("explain sub-path --kubernetes-version 1.30").out,
            "sub-path does not apply to Kubernetes 1.30: it applies to 1.14-1.19\n");
  const Result empty = run("explain ''");
  EXPECT_EQ(empty.exit_code, 2);
  EXPECT_TRUE(empty.err.starts_with("ID-OR-FIELD: is empty\n")) << empty.err;
  for (const char* unknown : {"new", "0.1", "1.99x"})
    EXPECT_EQ(run(std::string("explain host-pid --kubernetes-version ") + unknown).exit_code, 2);
}

TEST_F(ExplainCommand, SaysInWhichReleasesThereIsSomethingAboutAField) {
  const Result old = run("explain spec.hostUsers --kubernetes-version 1.24");
  EXPECT_EQ(old.exit_code, 0) << old.err;
  EXPECT_EQ(old.out, "Kubernetes 1.24 has no field spec.hostUsers; it is in 1.25+\n");
  EXPECT_EQ(run("explain spec.hostUser --kubernetes-version 1.24").exit_code, 2);
  EXPECT_NE(run("explain empty-capabilities").out.find("1.14+, before 1.24 only with strict\n"),
            std::string::npos);
}

TEST_F(ExplainCommand, NamesThePlaceOfAFieldThatTheApiDoesNotHave) {
  const std::string place = "; nodeSelector belongs to spec";
  EXPECT_NE(run("explain 'spec.containers[0].nodeSelector'").err.find(place + '\n'),
            std::string::npos);
  EXPECT_NE(run("explain deployment.spec.nodeSelector").err.find(place + ".template.spec\n"),
            std::string::npos);
  for (const char* field : {"spec.affinity.nodeSelectorTerms", "windowsOptions.runAsNonRoot",
                            "spec.securityContext.windowsOptions.runAsNonRoot"}) {
    const Result lacking = run(std::string("explain ") + field);
    EXPECT_EQ(lacking.exit_code, 2) << lacking.out;
    EXPECT_NE(lacking.err.find(" belongs to spec."), std::string::npos) << lacking.err;
  }
  EXPECT_EQ(run("explain nodeSelectorTerms").exit_code, 0);
}

TEST_F(ExplainCommand, KnowsEachFieldInAllReleases) {
  for (const std::string& name : test::sample(cli::known_names())) {
    for (const std::string& release :
         {to_string(kOldestVersion), std::string("1.22"), to_string(kNewestVersion)}) {
      const Result explained = run("explain '" + name + "' --kubernetes-version " + release);
      EXPECT_EQ(explained.exit_code, 0) << explained.err;
    }
  }
  EXPECT_EQ(run("explain 'spec.hostUsers[\x1b]' --kubernetes-version 1.14").out.find('\x1b'),
            std::string::npos);
  const std::string mounts = "explain 'spec.containers[*].volumeMounts[*].recursiveReadOnly'";
  EXPECT_EQ(run(mounts + " --kubernetes-version 1.22").out,
            "Kubernetes 1.22 has no field spec.containers[*].volumeMounts[*].recursiveReadOnly; "
            "it is in 1.30+\n");
}

TEST_F(ExplainCommand, SaysInSentencesWhatIsForbidden) {
  EXPECT_NE(
      run("explain host-pid")
          .out.find(
              "\n  forbidden:   true. With strict: any value. Exception: every container is a "
              "HostProcess container and spec.os.name is not set.\n"),
      std::string::npos);
}

TEST_F(ExplainCommand, NamesTheFieldOfEachListAsOneMayAskForIt) {
  const std::string text = run("explain privileged").out;
  for (const std::string list : {"containers", "initContainers", "ephemeralContainers"}) {
    const std::string field = "spec." + list + "[*].securityContext.privileged";
    EXPECT_NE(text.find(' ' + field + '\n'), std::string::npos) << text;
    EXPECT_EQ(run("explain '" + field + '\'').exit_code, 0) << field;
  }
}

TEST_F(ExplainCommand, ShowsNoExampleOfAnotherRow) {
  EXPECT_NE(run("explain host-aliases").out.find("Example"), std::string::npos);
  for (const char* id : {"host-aliases", "run-as-non-root"}) {
    const Result old = run("explain " + std::string(id) + " --kubernetes-version 1.19");
    EXPECT_EQ(old.exit_code, 0) << old.err;
    EXPECT_EQ(old.out.find("Example"), std::string::npos) << old.out;
  }
}

TEST_F(ExplainCommand, ShowsTheExample) {
  EXPECT_NE(run("explain host-pid").out.find("\n    -  hostPID: true\n"), std::string::npos);
  EXPECT_NE(run("explain spec.hostPID").out.find("\n    -  hostPID: true\n"), std::string::npos);
}

TEST_F(ExplainCommand, ExplainsTheKeyOfAMap) {
  const std::string limits = "explain 'spec.template.spec.containers[0].resources.limits";
  const std::string huge = run(limits + "[hugepages-2Mi]'").out;
  EXPECT_NE(huge.find("hugepages\n  field:"), std::string::npos) << huge;
  EXPECT_EQ(huge.find("allowed for"), std::string::npos) << huge;
  const std::string memory = run(limits + "[memory]'").out;
  EXPECT_EQ(memory.find("hugepages\n  field:"), std::string::npos) << memory;
  EXPECT_NE(memory.find("allowed for"), std::string::npos) << memory;
  const std::string annotation =
      "metadata.annotations[container.apparmor.security.beta.kubernetes.io/app]'";
  for (const std::string path : {"", "spec.template.", "spec.jobTemplate.spec.template."}) {
    const std::string out = run("explain '" + path + annotation).out;
    EXPECT_TRUE(out.starts_with("annotation-apparmor\n")) << out;
  }
}

TEST_F(ExplainCommand, NamesTheAdviceAboutAField) {
  const auto names = [&](const std::string& field, const std::string& id) {
    return run("explain '" + field + "'").out.find(id + "\n  when:") != std::string::npos;
  };
  EXPECT_TRUE(names("spec.template.spec.containers[0].image", "advice-image-build"));
  EXPECT_TRUE(names("spec.initContainers[*].image", "advice-linux-image"));
  EXPECT_TRUE(names("containers[].resources", "advice-memory"));
  EXPECT_TRUE(names("spec.containers[0].resources.limits[memory]", "advice-memory"));
  EXPECT_TRUE(names("spec.nodeSelector[kubernetes.io/arch]", "advice-arch"));
  EXPECT_TRUE(names("spec.nodeSelector", "advice-unplaced"));
  EXPECT_TRUE(names("spec.tolerations", "advice-daemonset-builds"));
  EXPECT_FALSE(names("spec.nodeSelector[kubernetes.io/arch]", "advice-unplaced"));
  EXPECT_FALSE(names("spec.hostPID", "advice-unplaced"));
}

TEST_F(ExplainCommand, ExplainsARuleThatRelatesFieldsForTheseOnly) {
  const auto explains_conflict = [&](const std::string& field) {
    return run("explain '" + field + "'").out.find("nonroot-admin-conflict") != std::string::npos;
  };
  EXPECT_TRUE(explains_conflict("spec.securityContext"));
  EXPECT_TRUE(explains_conflict("spec.containers[0].securityContext.runAsNonRoot"));
  EXPECT_TRUE(explains_conflict("spec.securityContext.windowsOptions.runAsUserName"));
  EXPECT_FALSE(explains_conflict("spec.containers[0].securityContext.privileged"));
  EXPECT_FALSE(explains_conflict("spec.containers[0].image"));
}

}  // namespace
}  // namespace winadmit
