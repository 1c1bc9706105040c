// `winadmit check --render` with programs that only print files. tests/deploy runs the real ones.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/binary.hpp"

namespace winadmit::test {
namespace {

namespace fs = std::filesystem;

testing::AssertionResult has(const std::string& text, const std::string& part) {
  const bool is_there = text.find(part) != std::string::npos;
  return (is_there ? testing::AssertionSuccess() : testing::AssertionFailure()) << text;
}

class Render : public Binary {
 protected:
  Render() {
    add("bin/helm",
        "#!/bin/sh\n"
        "echo \"$@\" >>helm-arguments\necho \"$GIT_ALLOW_PROTOCOL $HTTPS_PROXY\" >environment\n"
        "for each; do case $each in\n"
        "  /*) folder=$each;;\n  --values=*) values=${each##*/};;\nesac; done\n"
        "cat <\"$folder/${values:-default}.out\"\n");
    add("bin/kubectl",
        "#!/bin/sh\n"
        "echo \"$1\" >>kubectl-arguments\ncat <\"$2/kustomization.yaml\" >overlay\n"
        "cat <kustomize.out\n");
    for (const char* program : {"helm", "kubectl"})
      fs::permissions(folder_ / "bin" / program, fs::perms::owner_all);
    for (const char* program : {"timeout", "cat"})
      fs::create_symlink(fs::path("/usr/bin") / program, folder_ / "bin" / program);
  }

  void add(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    write(name, text);
  }

  /// In the folder, with only its own programs.
  Result winadmit(const std::string& arguments) const {
    const std::string here = folder_.path().string();
    return run(arguments, "cd " + here + " && /usr/bin/env PATH=" + here + "/bin");
  }

  std::string text_of(const std::string& name) const {
    return fs::exists(folder_ / name) ? read(folder_ / name) : std::string();
  }

  /// What `helm template` prints of a template.
  static std::string daemon_set(const std::string& field = "hostPID: true",
                                const std::string& source = "agent/templates/ds.yaml") {
    return "---\n# Source: " + source +
           "\napiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: agent}\nspec:\n"
           "  selector: {matchLabels: {a: b}}\n  template:\n    metadata: {labels: {a: b}}\n"
           "    spec:\n      os: {name: windows}\n      containers: [{name: c, image: i}]\n"
           "      " +
           field + "\n";
  }

  void add_chart(const std::string& more = "") const {
    add("agent/Chart.yaml", "apiVersion: v2\nname: agent\nversion: 1.0.0\n" + more);
    add("agent/values.yaml", "a: b\n");
    add("agent/templates/ds.yaml", "kind: {{ .Values.kind }}\n");
    add("agent/default.out", daemon_set());
  }

  std::string deployment(const std::string& more) const {
    return "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: x-web\n" + more +
           "spec:\n  selector: {matchLabels: {a: b}}\n  template:\n"
           "    metadata: {labels: {a: b}}\n    spec:\n      containers: [{name: c, image: i}]\n"
           "      hostPID: true\n";
  }

  /// A base with hostPID, and an overlay whose patch selects Windows nodes.
  void add_overlay() const {
    add("base/kustomization.yaml", "resources: [web.yaml]\n");
    add("base/web.yaml", deployment(""));
    add("win/kustomization.yaml", "resources: [../base]\npatches: [{path: patch.yaml}]\n");
    add("win/patch.yaml",
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  template:\n"
        "    spec:\n      nodeSelector: {kubernetes.io/os: windows}\n");
    const std::string here = folder_.path().string();
    add("kustomize.out",
        deployment("  annotations:\n    config.kubernetes.io/origin: |\n      path: " + here +
                   "/base/web.yaml\n"
                   "    alpha.config.kubernetes.io/transformations: |\n      - configuredIn: " +
                   here +
                   "/win/kustomization.yaml\n"
                   "        configuredBy: {apiVersion: builtin, kind: PatchTransformer}\n") +
            "      nodeSelector: {kubernetes.io/os: windows}\n");
  }
};

TEST_F(Render, ChecksWhatHelmPrintsAndNamesTheTemplate) {
  add_chart();
  const Result checked = winadmit("check --render agent");
  EXPECT_EQ(checked.exit_code, 1) << checked.err;
  EXPECT_TRUE(has(checked.out,
                  "agent/templates/ds.yaml: error: DaemonSet agent: "
                  "spec.template.spec.hostPID: "));
  EXPECT_TRUE(has(checked.err, "1 object, 1 with Windows pods: 1 refused"));
  EXPECT_FALSE(has(checked.err, "skipped"));
  EXPECT_EQ(text_of("helm-arguments"), "template " + (folder_ / "agent").string() + '\n');
}

TEST_F(Render, ChecksTheChartsAndTheOtherFilesOfAFolder) {
  add_chart();
  add("agent/crds/pod.yaml", daemon_set());
  add("pod.yaml", daemon_set());
  const Result checked = winadmit("check -R --render -o json .");
  const auto report = nlohmann::json::parse(checked.out);
  EXPECT_EQ(report["summary"]["objects"], 2) << report;
  EXPECT_TRUE(report["skipped"].empty() && report["skippedCharts"].empty()) << report;
}

TEST_F(Render, WithoutTheFlagSaysTheCommandAndRunsNothing) {
  add_chart();
  add_overlay();
  for (const char* arguments : {"check agent", "check -R agent"}) {
    EXPECT_TRUE(has(winadmit(arguments).err, "; winadmit check --render agent checks the result\n"))
        << arguments;
  }
  EXPECT_TRUE(has(winadmit("check base").err,
                  "not rendered: 1 kustomization; winadmit check --render base checks "));
  EXPECT_TRUE(has(winadmit("fix --check win").err, "winadmit fix --check --render win "));
  EXPECT_EQ(text_of("helm-arguments") + text_of("kubectl-arguments"), "");
}

TEST_F(Render, RunsNothingForWhatIsNotTrusted) {
  add_chart();
  write(".winadmit.yaml", "render: [{chart: agent}]\n");
  EXPECT_EQ(winadmit("check --untrusted --render agent").exit_code, 2);
  EXPECT_EQ(winadmit("fix --check --untrusted --render agent").exit_code, 2);
  for (const char* command : {"check --untrusted -R .", "fix --check --untrusted -R ."})
    winadmit(command);
  EXPECT_EQ(text_of("helm-arguments"), "");
  winadmit("check -R .");
  EXPECT_NE(text_of("helm-arguments"), "");
}

TEST_F(Render, NeverRendersForTheNameOfAFile) {
  add_chart();
  add(".winadmit.yaml", "render: [{chart: agent}]\n");
  winadmit("check --render --skip-others agent/Chart.yaml agent/templates/ds.yaml");
  EXPECT_EQ(text_of("helm-arguments"), "");
}

TEST_F(Render, RendersOnceForEachSetOfValuesAndReportsAFindingOnce) {
  add_chart();
  add("agent/win.yaml", "");
  add("2022.yaml", "");
  add("agent/win.yaml.out", daemon_set());
  add("agent/2022.yaml.out", daemon_set() + "      hostIPC: true\n");
  add(".winadmit.yaml",
      "render:\n- {chart: agent, values: [win.yaml], release: web, namespace: shop}\n"
      "- {chart: ./agent, values: [2022.yaml], set: [a=b, c=d]}\n");
  const Result checked = winadmit("check agent");
  EXPECT_TRUE(has(checked.out,
                  "DaemonSet agent (win.yaml web shop, 2022.yaml a=b c=d): "
                  "spec.template.spec.hostPID: "));
  EXPECT_TRUE(
      has(checked.out, "DaemonSet agent (2022.yaml a=b c=d): spec.template.spec.hostIPC: "));
  EXPECT_TRUE(has(checked.err, "errors: 1 host-ipc, 1 host-pid\n"));
  const std::string here = folder_.path().string();
  EXPECT_EQ(text_of("helm-arguments"),
            "template web " + here + "/agent --namespace=shop --values=" + here +
                "/agent/win.yaml\ntemplate " + here + "/agent --values=" + here +
                "/2022.yaml --set=a=b --set=c=d\n");
  const auto report = nlohmann::json::parse(winadmit("check -o json agent").out);
  EXPECT_EQ(report["findings"][0]["sets"].size(), 2U) << report;
  EXPECT_EQ(report["summary"]["objects"], 1) << report;
}

TEST_F(Render, WithoutTheProjectRendersNothingByItself) {
  add_chart();
  add(".winadmit.yaml", "render: [{chart: agent}]\n");
  winadmit("check --no-project agent");
  EXPECT_EQ(text_of("helm-arguments"), "");
}

TEST_F(Render, RefusesEntriesThatCannotBeRendered) {
  add_chart();
  const struct {
    const char *entry, *error;
  } kCases[] = {
      {"{}", "needs a chart or a kustomization"},
      {"{chart: agent, kustomization: agent}", "needs a chart or a kustomization"},
      {"{kustomization: win, values: [a.yaml]}", "a kustomization has no values"},
      {"{chart: agent, release: --post-renderer=evil}", "release must be a DNS label"},
      {"{chart: agent, release: web-}", "release must be a DNS label"},
      {"{chart: agent, release: ''}", "release must be a DNS label"},
      {"{chart: agent, namespace: -x}", "namespace must be a DNS label"},
      {"{chart: agent, value: [a.yaml]}", "unknown key 'value'"},
      {"{chart: agnet}", ".winadmit.yaml:1: agnet has no Chart.yaml"},
      {"{kustomization: agent}", "agent has no kustomization.yaml"},
      {"{chart: agent, values: [none.yaml]}", "there is no file none.yaml of values"},
  };
  for (const auto& each : kCases) {
    SCOPED_TRACE(each.entry);
    add(".winadmit.yaml", "render: [" + std::string(each.entry) + "]\n");
    const Result checked = winadmit("check agent");
    EXPECT_EQ(checked.exit_code, 2);
    EXPECT_TRUE(has(checked.err, each.error));
  }
  EXPECT_EQ(text_of("helm-arguments"), "");
}

TEST_F(Render, AProgramThatFailsOrIsMissingIsAnError) {
  add_chart();
  fs::remove(folder_ / "agent/default.out");
  const Result failed = winadmit("check --render agent");
  EXPECT_EQ(failed.exit_code, 2);
  EXPECT_TRUE(has(failed.err, "winadmit: agent/Chart.yaml: helm failed: "));
  fs::remove(folder_ / "bin/helm");
  const Result missing = winadmit("check --render agent");
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_TRUE(has(missing.err, "agent/Chart.yaml: helm is not in PATH"));
  add_overlay();
  fs::rename(folder_ / "bin/kubectl", folder_ / "bin/kustomize");
  EXPECT_EQ(winadmit("check --render win").exit_code, 1);
  EXPECT_EQ(text_of("kubectl-arguments"), "build\n");
}

TEST_F(Render, WhatAProgramWritesIsSafeToPrint) {
  add_chart();
  add("bin/helm", "#!/bin/sh\nprintf 'no\\n\\033[31m::stop-commands::x' >&2\nexit 1\n");
  const Result checked = winadmit("check --render agent");
  EXPECT_EQ(checked.exit_code, 2);
  EXPECT_TRUE(has(checked.err, "helm failed: no\\n\\x1b[31m::stop"));
}

TEST_F(Render, GivesTheProgramsNoNetwork) {
  add_chart();
  winadmit("check --render agent");
  EXPECT_EQ(text_of("environment"), "none http://127.0.0.1:1\n");
}

TEST_F(Render, WhatIsRenderedToNoObjectIsAnError) {
  add_chart();
  add("agent/default.out", "---\n# Source: agent/templates/ds.yaml\nkind: [\n");
  const Result checked = winadmit("check --render agent");
  EXPECT_EQ(checked.exit_code, 2);
  EXPECT_TRUE(has(checked.err, "agent/Chart.yaml: what helm template prints, line "));
  add("agent/default.out", "");
  EXPECT_EQ(winadmit("check --render agent").exit_code, 0) << "no object is none";
}

TEST_F(Render, NamesTheChartForTemplatesThatAreNotInItsFolder) {
  add_chart();
  for (const char* source : {"agent/charts/packed/templates/ds.yaml", "agent/../../etc/passwd"}) {
    add("agent/default.out", daemon_set("hostPID: true", source));
    EXPECT_TRUE(has(winadmit("check --render agent").out,
                    "agent/Chart.yaml: error: DaemonSet agent (" + std::string(source)));
  }
}

TEST_F(Render, TakesNoLibraryChartAndNoComponentByItself) {
  add_chart("type: library\n");
  add("part/kustomization.yaml", "kind: Component\n");
  winadmit("check -R --render agent part");
  EXPECT_EQ(text_of("helm-arguments") + text_of("kubectl-arguments"), "");
}

TEST_F(Render, IgnoresByTheProjectAndByCommentsInTemplates) {
  add_chart();
  add(".winadmit.yaml", "ignore: [{rule: host-pid, file: agent/templates/ds.yaml, reason: r}]\n");
  EXPECT_EQ(winadmit("check --render agent").exit_code, 0);
  add(".winadmit.yaml", "");
  add("agent/default.out", daemon_set("hostPID: true  # winadmit: ignore host-pid"));
  EXPECT_EQ(winadmit("check --render agent").exit_code, 0);
}

TEST_F(Render, ChecksAnOverlayAndNamesThePatchAndTheBase) {
  add_overlay();
  const Result checked = winadmit("check --render win");
  EXPECT_EQ(checked.exit_code, 1) << checked.err;
  EXPECT_TRUE(has(checked.out,
                  "base/web.yaml: error: Deployment x-web (win/patch.yaml): "
                  "spec.template.spec.hostPID: "));
  EXPECT_EQ(text_of("kubectl-arguments"), "kustomize\n");
  const auto overlay = nlohmann::json::parse(text_of("overlay"));
  EXPECT_EQ(overlay["buildMetadata"],
            nlohmann::json({"originAnnotations", "transformerAnnotations"}));
  EXPECT_TRUE(fs::path(overlay["resources"][0].get<std::string>()).is_relative());
}

TEST_F(Render, NamesThePatchThatHasTheField) {
  add_overlay();
  const std::string patched = "base/web.yaml): spec.template.spec.hostPID: ";
  add("win/patch.yaml",
      "kind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {hostPID: true}}}\n");
  EXPECT_TRUE(has(winadmit("check --render win").out,
                  "win/patch.yaml: error: Deployment x-web (" + patched));
  add("win/kustomization.yaml",
      "resources: [../base]\npatches:\n- target: {kind: Deployment}\n"
      "  patch: '[{op: add, path: /spec/template/spec/hostPID, value: true}]'\n");
  EXPECT_TRUE(has(winadmit("check --render win").out,
                  "win/kustomization.yaml: error: Deployment x-web (" + patched));
}

TEST_F(Render, JudgesABaseThroughItsOverlayAlone) {
  add_overlay();
  add("win/more.yaml", daemon_set());  // kustomization.yaml does not have it
  const auto report = nlohmann::json::parse(winadmit("check -R --render -o json base win").out);
  EXPECT_EQ(report["summary"]["objects"], 2) << report;
  EXPECT_EQ(text_of("kubectl-arguments"), "kustomize\n") << "once";
  EXPECT_TRUE(report["patches"].empty() && report["kustomizations"].empty()) << report;
}

TEST_F(Render, RefusesRemoteBasesBeforeItRunsAnything) {
  for (const char* base :
       {"https://github.com/a/b//base?ref=v1", "github.com/a/b", "git@github.com:a/b"}) {
    add_overlay();
    add("base/kustomization.yml", "");
    add("base/kustomization.yaml", "resources: ['" + std::string(base) + "']\n");
    const Result checked = winadmit("check --render win");
    EXPECT_EQ(checked.exit_code, 2);
    EXPECT_TRUE(has(checked.err, std::string(base) + " is not on this machine"));
  }
  EXPECT_EQ(text_of("kubectl-arguments"), "");
}

TEST_F(Render, RefusesEveryEntryThatIsAUrlBeforeItRunsAnything) {
  add_overlay();
  add("http:/127.0.0.1/x", "");
  add("win/http:/127.0.0.1/x", "");
  add("win/plugin.yaml", "a: b\n---\nkind: PatchTransformer\npath: \"http:\\x2f/127.0.0.1/x\"\n");
  for (const char* entry :
       {"patches: [{path: http://127.0.0.1/x}]", "patches: [{<<: {path: http://127.0.0.1/x}}]",
        "Patches: [{Path: http://127.0.0.1/x}]", "patchesStrategicMerge: [http://127.0.0.1/x]",
        "patchesJson6902: [{path: http://127.0.0.1/x}]", "configurations: [http://127.0.0.1/x]",
        "crds: [http://127.0.0.1/x]", "openapi: {path: http://127.0.0.1/x}",
        "generators: [http://127.0.0.1/x]", "validators: ['{path: http://127.0.0.1/x}']",
        "configMapGenerator: [{name: a, files: [b=http://127.0.0.1/x]}]",
        "secretGenerator: [{name: a, envs: [http://127.0.0.1/x]}]",
        "replacements: [{path: http://127.0.0.1/x}]", "transformers: [plugin.yaml]",
        "components: [http://127.0.0.1/x]"}) {
    add("base/kustomization.yaml", "resources: [web.yaml]\n" + std::string(entry) + '\n');
    add("base/plugin.yaml", text_of("win/plugin.yaml"));
    const Result checked = winadmit("check --render win");
    EXPECT_EQ(checked.exit_code, 2) << entry;
    EXPECT_TRUE(has(checked.err, "http://127.0.0.1/x")) << entry;
    EXPECT_TRUE(has(checked.err, " is not on this machine")) << entry;
  }
  EXPECT_EQ(text_of("kubectl-arguments"), "");
}

TEST_F(Render, RendersAFolderWhoseFileIsNamedToo) {
  add_overlay();
  add_chart();
  for (const char* names : {"win win/kustomization.yaml", "win/kustomization.yaml win",
                            "agent agent/Chart.yaml", "win ./win win/"}) {
    const Result checked = winadmit("check --render --skip-others " + std::string(names));
    EXPECT_EQ(checked.exit_code, 1) << names << checked.err;
    EXPECT_TRUE(has(checked.err, "1 object, ")) << names;
  }
}

TEST_F(Render, ExcludesAFolderByPatternsForAllThatIsInIt) {
  add_overlay();
  add_chart();
  for (const char* pattern : {"**/kustomization.yaml", "Chart.yaml", "*/Chart.*", "*.yaml"}) {
    const std::string rest = "--exclude '" + std::string(pattern) + "' agent win";
    EXPECT_TRUE(has(winadmit("check --render " + rest).err, "2 objects, ")) << pattern;
    EXPECT_NE(winadmit("fix --check --render " + rest).err, "") << pattern;
  }
  for (const char* pattern : {"agent", "agent/", "agent/*", "*"}) {
    const std::string rest = "--exclude '" + std::string(pattern) + "' agent";
    EXPECT_TRUE(has(winadmit("check --render " + rest).err, "excluded: 1 file")) << pattern;
    EXPECT_EQ(winadmit("fix --check --render " + rest).err, "") << pattern;
  }
}

TEST_F(Render, NoReportReplacesWhatIsRendered) {
  add_overlay();
  add_chart();
  add("2022.yaml", "a: b\n");
  add("agent/2022.yaml.out", daemon_set());
  add(".winadmit.yaml", "render: [{chart: agent, values: [2022.yaml]}]\n");
  for (const char* file : {"win/patch.yaml", "base/web.yaml", "win/kustomization.yaml",
                           "agent/values.yaml", "agent/templates/ds.yaml", "2022.yaml"}) {
    const std::string before = text_of(file);
    const Result checked =
        winadmit("check --render --report-file json=" + std::string(file) + " win agent");
    EXPECT_EQ(checked.exit_code, 2) << file;
    EXPECT_TRUE(has(checked.err, "would overwrite this file, which is rendered"));
    EXPECT_EQ(text_of(file), before);
  }
  EXPECT_EQ(winadmit("check --render --report-file json=agent/new.json win agent").exit_code, 1);
}

TEST_F(Render, CountsWhatIsGoneFromTheBaseline) {
  add_overlay();
  add_chart();
  winadmit("check --render --write-baseline base.json win agent");
  EXPECT_EQ(winadmit("check --render --baseline base.json win agent").exit_code, 0);
  add("agent/default.out", daemon_set(""));
  add("kustomize.out", "");
  EXPECT_TRUE(has(winadmit("check --render --baseline base.json win agent").err,
                  "in the baseline, and not found: 2 findings"));
}

TEST_F(Render, CountsRuntimeClassesThatArePrintedAfterTheirPods) {
  add_chart();
  const std::string workload =
      "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  runtimeClassName: win\n"
      "  hostPID: true\n  containers: [{name: c, image: i}]\n";
  add("agent/default.out", workload +
                               "---\napiVersion: node.k8s.io/v1\nkind: RuntimeClass\n"
                               "metadata: {name: win}\nhandler: r\n"
                               "scheduling: {nodeSelector: {kubernetes.io/os: windows}}\n");
  const Result checked = winadmit("check --render agent");
  EXPECT_EQ(checked.exit_code, 1) << checked.err;
  EXPECT_TRUE(has(checked.out, "spec.hostPID"));
  EXPECT_EQ(winadmit("fix --check --render agent").exit_code, 1);
}

TEST_F(Render, KeepsObjectsOfOneSetApart) {
  add_chart();
  const std::string pod =
      "---\n# Source: agent/templates/ds.yaml\napiVersion: v1\nkind: Pod\n"
      "metadata: {generateName: a-}\nspec:\n  os: {name: windows}\n  hostPID: true\n"
      "  containers: [{name: c, image: i}]\n";
  add("agent/default.out", pod + pod);
  add(".winadmit.yaml", "render: [{chart: agent}, {chart: agent, set: [a=b]}]\n");
  const auto report = nlohmann::json::parse(winadmit("check -o json agent").out);
  EXPECT_EQ(report["summary"]["objects"], 2) << report;
  ASSERT_EQ(report["findings"].size(), 2U) << report;
  for (const auto& each : report["findings"])
    EXPECT_EQ(each["sets"], nlohmann::json({"default values", "a=b"}));
}

TEST_F(Render, SaysACommandThatAShellCanRun) {
  const struct {
    const char *folder, *word;
  } kCases[] = {{"a; echo hi", "'a; echo hi'"}, {"it's", "'it'\\''s'"}, {"-x", "./-x"}};
  for (const auto& each : kCases) {
    add(std::string(each.folder) + "/kustomization.yaml", "");
    const std::string word = each.word;
    EXPECT_TRUE(has(winadmit("check ./" + word).err, "check --render " + word + " checks"));
    EXPECT_TRUE(has(winadmit("fix --check ./" + word).err, "--render " + word + " checks"));
  }
}

TEST_F(Render, SaysNoCommandForWhatIsNotTrusted) {
  add_overlay();
  for (const char* command : {"check --untrusted base win", "fix --check --untrusted base win"}) {
    const Result checked = winadmit(command);
    EXPECT_FALSE(has(checked.err, "--render")) << command;
  }
}

TEST_F(Render, TakesUrlsInTextsThatNameNoFile) {
  add_overlay();
  add("base/kustomization.yaml",
      "resources: [web.yaml]\ncommonAnnotations: {a: https://b}\n"
      "configMapGenerator: [{name: a, literals: [b=http://c]}]\n"
      "patches: [{patch: '[{op: add, path: /a, value: http://b}]', target: {kind: Pod}}]\n"
      "patchesStrategicMerge:\n- '{kind: Pod, a: http://b}'\n- |\n  kind: Pod\n  a: http://b\n");
  EXPECT_EQ(winadmit("check --render win").exit_code, 1);
  EXPECT_EQ(text_of("kubectl-arguments"), "kustomize\n");
}

TEST_F(Render, RefusesAKustomizationThatItCannotRead) {
  add_overlay();
  add("base/kustomization.yaml", "resources: [web.yaml]\n#" + std::string(1U << 20U, ' '));
  const Result large = winadmit("check --render win");
  EXPECT_EQ(large.exit_code, 2);
  EXPECT_TRUE(has(large.err, "kustomization.yaml is larger than 1048576 bytes"));
  add("base/kustomization.yaml", "resources: [\n");
  EXPECT_EQ(winadmit("check --render win").exit_code, 2);
  std::string aliases = "a0: &a0 [b]\n";
  for (int i = 1; i < 40; ++i) {
    const std::string last = std::to_string(i - 1);
    aliases += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + last + ", *a" +
               last + "]\n";
  }
  add("base/kustomization.yaml", aliases);
  EXPECT_TRUE(has(winadmit("check --render win").err, "has too many aliases"));
  EXPECT_EQ(text_of("kubectl-arguments"), "");
}

TEST_F(Render, CountsAPatchAsNotJudged) {
  add_overlay();
  const struct {
    const char *kustomization, *patch;
  } kCases[] = {
      {"patches: [{path: patch.yaml}]", "kind: Deployment\nspec: {replicas: 1}"},
      {"patchesStrategicMerge: [patch.yaml]", "kind: Deployment\nspec: {template: {}}"},
      {"patchesJson6902: [{path: patch.yaml}]", "kind: Deployment\nspec: {template: {spec: {}}}"},
      // It looks like a complete object.
      {"patches: [{path: patch.yaml}]",
       "kind: Deployment\nspec: {template: {spec: {os: {name: windows}, containers: [{name: c, "
       "image: i}]}}}"},
  };
  for (const auto& each : kCases) {
    SCOPED_TRACE(each.patch);
    add("win/kustomization.yaml", "resources: [../base]\n" + std::string(each.kustomization));
    add("win/patch.yaml", "apiVersion: apps/v1\nmetadata: {name: web}\n" + std::string(each.patch));
    const Result checked = winadmit("check -R base win");
    EXPECT_TRUE(
        has(checked.err, "not judged: 1 patch; winadmit check --render win checks the result\n"));
    const auto report = nlohmann::json::parse(winadmit("check -R -o json base win").out);
    EXPECT_EQ(report["patches"], nlohmann::json({"win/patch.yaml:1:1"}));
  }
  add("win/patch.yaml", "- {op: add, path: /spec/template/spec/os, value: {name: windows}}\n");
  EXPECT_TRUE(has(winadmit("check -R .").err, "not judged: 1 patch; "));
}

TEST_F(Render, CountsAPatchThatNoKustomizationHas) {
  add("patch.yaml",
      "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  template:\n"
      "    spec:\n      nodeSelector: {kubernetes.io/os: windows}\n");
  EXPECT_TRUE(has(winadmit("check patch.yaml").err,
                  "not judged: 1 patch; check what kubectl kustomize prints\n"));
}

TEST_F(Render, FixNamesTheFileToChange) {
  add_chart();
  add("agent/default.out", daemon_set("shareProcessNamespace: false"));
  const Result fixed = winadmit("fix --check --render agent");
  EXPECT_EQ(fixed.exit_code, 1) << fixed.err;
  EXPECT_EQ(fixed.out, "agent/templates/ds.yaml\n");
  EXPECT_TRUE(has(fixed.err, "agent/templates/ds.yaml: added spec.template.spec"));
  EXPECT_TRUE(has(winadmit("fix --render agent").err, "--render: needs --check"));
  add(".winadmit.yaml", "render: [{chart: agent}]\n");
  fs::remove(folder_ / "helm-arguments");
  winadmit("fix --diff agent");
  EXPECT_EQ(text_of("helm-arguments"), "") << "its text cannot be edited";
}

}  // namespace
}  // namespace winadmit::test
