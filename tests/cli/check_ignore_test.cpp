// `winadmit check` with .winadmit.yaml, --exclude, --no-ignore and baselines; annotations and
// comments are in tests/data/check/ignored.yaml.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/binary.hpp"

namespace winadmit {
namespace {

class CheckIgnore : public test::Binary {
 protected:
  static std::string pod(const std::string& name) {
    return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + name +
           "}\nspec:\n  os: {name: windows}\n  hostPID: true\n";
  }

  /// In the folder of the test.
  test::Result check(const std::string& arguments) const {
    return run("check " + arguments, "cd " + folder_.path().string() + " &&");
  }
};

TEST_F(CheckIgnore, FollowsTheProjectAndReportsUnusedEntries) {
  write("a.yaml", pod("a"));
  write(".winadmit.yaml",
        "ignore:\n- {rule: host-pid, name: a}\n- {rule: host-ipc, reason: none}\n");
  const auto folder = check(".");
  EXPECT_EQ(folder.exit_code, 0) << folder.out;
  EXPECT_EQ(folder.out,
            ".winadmit.yaml:3:1: warning: ignores host-ipc, which is not found here; remove it, or "
            "correct the rule that it names (unused-ignore)\n");
  EXPECT_EQ(folder.err,
            "1 object, 1 with Windows pods: 0 refused, 0 with warnings\nignored: 1 finding\n");
  EXPECT_EQ(check("--fail-on warn .").exit_code, 1);
  EXPECT_EQ(check("a.yaml").out, "") << "an entry may be for another file";
  EXPECT_EQ(check("--no-ignore a.yaml").exit_code, 1);
  write(".winadmit.yaml", "ignore: 1\n");
  EXPECT_EQ(check("a.yaml").exit_code, 2);
}

TEST_F(CheckIgnore, CallsNoEntryUnusedThatMayBeForAFileThatIsNotRead) {
  std::filesystem::create_directory(folder_ / "inner");
  write("inner/b.yaml", pod("b"));
  write("a.yaml", "apiVersion: v1\nkind: ConfigMap\n");
  write(".winadmit.yaml", "ignore: [{rule: host-pid, name: b}]\n");
  EXPECT_EQ(check(".").out, "") << "inner/b.yaml is not read";
  EXPECT_EQ(check("-R .").out, "");
  write(".winadmit.yaml", "ignore: [{rule: host-pid}, {rule: host-ipc}]\n");
  const char* const unused = "ignores host-ipc, which is not found here";
  EXPECT_NE(check("-R .").out.find(unused), std::string::npos);
  EXPECT_EQ(check("-R --exclude 'inner/*' .").out, "");
  write("inner/c.yaml", "apiVersion: v1\nkind: [");
  EXPECT_EQ(check("-R .").out, "") << "inner/c.yaml cannot be read";
  std::filesystem::rename(folder_ / "inner", folder_ / ".git");
  EXPECT_NE(check(".").out.find(unused), std::string::npos) << "a hidden folder has no manifests";
}

TEST_F(CheckIgnore, EndsItsReportIfTheProjectOfAFolderCannotBeRead) {
  for (const char* folder : {"bad", "good"}) std::filesystem::create_directory(folder_ / folder);
  for (const char* name : {"bad/a.yaml", "bad/b.yaml", "good/c.yaml"})
    write(name, pod("a") + "  containers: [{name: a, image: a}]\n");
  struct Case {
    const char* project;
    std::vector<std::string> errors;
  };
  for (const auto& [project, errors] :
       {Case{"ignore: 1\nexclude: 2\n",
             {"bad/.winadmit.yaml:1: ignore must be a list",
              "bad/.winadmit.yaml:2: exclude must be a list"}},
        Case{"policy: {setOs: true}\n",
             {"bad/.winadmit.yaml: setOs needs Kubernetes 1.24 or later, which has spec.os"}}}) {
    write("bad/.winadmit.yaml", project);
    const auto checked = check("-R -o json --kubernetes-version 1.20 .");
    EXPECT_EQ(checked.exit_code, 2);
    const auto report = nlohmann::json::parse(checked.out, nullptr, false);
    ASSERT_TRUE(report.is_object()) << checked.out;
    ASSERT_EQ(report["errors"].size(), errors.size()) << "once, not for each file";
    for (std::size_t i = 0; i < errors.size(); ++i) EXPECT_EQ(report["errors"][i], errors[i]);
    EXPECT_EQ(report["summary"]["objects"], 1) << "the others are judged";
    const auto fixed =
        run("fix -R --check --kubernetes-version 1.20 .", "cd " + folder_.path().string() + " &&");
    EXPECT_EQ(fixed.exit_code, 2);
    EXPECT_EQ(fixed.out, "good/c.yaml\n");
  }
  EXPECT_EQ(check("-R --exclude 'bad/*' --kubernetes-version 1.20 .").exit_code, 1)
      << "the project of excluded files is not used";
}

TEST_F(CheckIgnore, ReadsCommentsOfStandardInput) {
  std::string ignoring = pod("b");
  ignoring.insert(ignoring.size() - 1, "  # winadmit: ignore host-pid it reads");
  const std::string file = write("in.yaml", "---\n" + pod("a") + "---\n" + ignoring);
  const auto piped = run("check -f -", "", file);
  EXPECT_TRUE(piped.out.starts_with("<stdin>:7:3: error: Pod a: ")) << piped.out;
  EXPECT_EQ(piped.out.find("Pod b"), std::string::npos) << piped.out;
  EXPECT_EQ(piped.err,
            "2 objects, 2 with Windows pods: 1 refused, 0 with warnings\nignored: 1 finding\n");
}

/// A pod with so many privileged containers, the last of which ignores that if `ignores_last`.
std::string pod_with_findings(int count, bool ignores_last = false) {
  std::string text =
      "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  os: {name: windows}\n"
      "  containers:\n";
  for (int i = 0; i < count; ++i) {
    text += "  - {name: c" + std::to_string(i) + ", image: i, securityContext: {privileged: true}}";
    text += ignores_last && i + 1 == count ? "  # winadmit: ignore ctr-privileged\n" : "\n";
  }
  return text;
}

TEST_F(CheckIgnore, KnowsAllFindingsOfAPod) {
  write("a.yaml", pod_with_findings(150));
  ASSERT_EQ(check("--write-baseline known.json a.yaml").exit_code, 0);
  EXPECT_EQ(check("--baseline known.json a.yaml").exit_code, 0);
  write("a.yaml", pod_with_findings(151));
  const auto compared = check("--baseline known.json a.yaml");
  EXPECT_EQ(compared.exit_code, 1) << "a new finding is none of the baseline";
  EXPECT_NE(compared.out.find("spec.containers[150]"), std::string::npos) << compared.out;
  write("a.yaml", pod_with_findings(151, /*ignores_last=*/true));
  const auto ignored = check("--baseline known.json a.yaml");
  EXPECT_EQ(ignored.exit_code, 0) << ignored.out;
  EXPECT_EQ(ignored.out, "") << "the comment is used";
}

TEST_F(CheckIgnore, ABaselineKnowsAFileHoweverItIsNamed) {
  write("a.yaml", pod("a"));
  const std::string folder = folder_.path().string();
  ASSERT_EQ(check("--write-baseline known.json " + folder + "/a.yaml").exit_code, 0);
  const std::string through_parent = "../" + folder_.path().filename().string() + "/a.yaml";
  for (const std::string& name : {std::string("a.yaml"), through_parent})
    EXPECT_EQ(check("--baseline known.json " + name).exit_code, 0) << name;
  write("a.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n");
  const auto gone = check("--baseline known.json a.yaml");
  EXPECT_NE(gone.err.find("in the baseline, and not found: 1 finding"), std::string::npos)
      << gone.err;
}

TEST_F(CheckIgnore, FailsIfAPodHasMoreFindingsThanItCanKnow) {
  write("a.yaml", pod_with_findings(1002));
  const auto checked = check("--write-baseline known.json -o sarif a.yaml");
  EXPECT_EQ(checked.exit_code, 2);
  EXPECT_NE(checked.err.find("a.yaml:1:1: Pod a has too many findings: 2 left out\n"),
            std::string::npos)
      << checked.err;
  EXPECT_NE(checked.err.find("known.json is not written"), std::string::npos) << checked.err;
  const auto report = nlohmann::json::parse(checked.out);
  for (const auto& result : report["runs"][0]["results"]) EXPECT_TRUE(result.contains("ruleId"));
}

TEST_F(CheckIgnore, FixFailsIfAPodHasMoreFindingsThanItCanKnow) {
  std::string text = pod_with_findings(1002);
  const std::string name = "{name: a}";
  text.replace(text.find(name), name.size(),
               "{name: a, annotations: {winadmit.dev/ignore: ctr-privileged}}");
  write("a.yaml", text);
  const auto fixed = run("fix --check -f " + (folder_ / "a.yaml").string());
  EXPECT_EQ(fixed.exit_code, 2);
  EXPECT_NE(fixed.err.find("Pod a has too many findings: 2 left out"), std::string::npos)
      << fixed.err;
}

TEST_F(CheckIgnore, TakesNoValueForAComment) {
  const std::string map =
      "apiVersion: v1\nkind: ConfigMap\ndata:\n  pod.yaml: |\n    spec:\n"
      "      hostPID: true  # winadmit: ignore host-pid\n";
  EXPECT_EQ(check(write("map.yaml", map)).out, "") << "it ignores nothing here, and says nothing";
  const nlohmann::json json = {
      {"apiVersion", "v1"}, {"kind", "ConfigMap"}, {"data", {{"a", " # winadmit: ignore b"}}}};
  EXPECT_EQ(check(write("map.txt", json.dump())).out, "");
  EXPECT_NE(check(write("end.yaml", map + "# winadmit: ignore host-pid\n")).out, "") << "a comment";
}

TEST_F(CheckIgnore, LeavesOutFiles) {
  std::filesystem::create_directory(folder_ / "vendor");
  write("vendor/b.yaml", "apiVersion: v1\nkind: [");
  write("a.yaml", pod("a"));
  EXPECT_EQ(check("-R .").exit_code, 2);
  EXPECT_EQ(check("-R --exclude vendor .").exit_code, 1);
  const auto nothing = check("-R --exclude vendor --exclude 'a.*' .");
  EXPECT_EQ(nothing.exit_code, 0);
  EXPECT_EQ(nothing.err, "excluded: 2 files\n");
  write(".winadmit.yaml", "exclude: [vendor/*]\n");
  EXPECT_EQ(check("-R .").exit_code, 1);
  EXPECT_EQ(check("vendor/b.yaml").exit_code, 0);
}

TEST_F(CheckIgnore, JudgesByThePolicyOfTheFolder) {
  std::filesystem::create_directory(folder_ / "lenient");
  for (const char* name : {"a.yaml", "lenient/a.yaml"})
    write(name, pod("a") + "  containers: [{name: a, image: a}]\n");
  write("lenient/.winadmit.yaml",
        "policy: {kubernetesVersion: '1.30', platform: aks, rules: {host-pid: warn}}\n");
  const auto checked = check("-R .");
  EXPECT_NE(checked.err.find("1 refused, 1 with warnings"), std::string::npos) << checked.err;
  EXPECT_EQ(check("lenient").exit_code, 0);
  write("strict.yaml", "rules: {}\n");
  EXPECT_EQ(check("--config strict.yaml lenient").exit_code, 1) << "instead of that of the folder";
  const auto fix = [this](const std::string& arguments) {
    return run("fix " + arguments, "cd " + folder_.path().string() + " &&").out;
  };
  EXPECT_EQ(fix("lenient").find("tolerations"), std::string::npos) << "AKS has no taint";
  EXPECT_NE(fix("--platform kep lenient").find("Win1809"), std::string::npos) << "a flag overrides";
}

TEST_F(CheckIgnore, JudgesTheTemplatesOfOtherKinds) {
  write("rollout.yaml",
        "apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {name: web, namespace: shop}\n"
        "spec:\n  template:\n    spec:\n      os: {name: windows}\n      hostPID: \"true\"\n"
        "      hostIPC: true\n");
  EXPECT_NE(check("rollout.yaml").err.find("not judged: 1 Rollout.argoproj.io"), std::string::npos);
  write(".winadmit.yaml",
        "templates: [{group: argoproj.io, kind: Rollout, path: spec.template}]\n");
  const auto judged = check("rollout.yaml");
  EXPECT_EQ(judged.exit_code, 1);
  EXPECT_TRUE(judged.out.starts_with(
      "rollout.yaml:8:7: error: Rollout shop/web: spec.template.spec.hostPID: must be a boolean"))
      << judged.out;
  EXPECT_NE(judged.out.find("rollout.yaml:9:7: error: Rollout shop/web: "
                            "spec.template.spec.hostIPC: cannot be set"),
            std::string::npos)
      << judged.out;
  EXPECT_EQ(judged.err.find("not judged"), std::string::npos);
}

TEST_F(CheckIgnore, KeepsAnAnnotationToItsEntryOfAList) {
  std::string templates;
  for (int i = 0; i < 12; ++i) {
    templates += "  - spec: {os: {name: windows}, hostPID: true}\n";
    if (i == 1)
      templates += "    metadata: {annotations: {winadmit.dev/ignore: 'host-pid: it reads'}}\n";
  }
  write("batch.yaml",
        "apiVersion: example.com/v1\nkind: Batch\nmetadata: {name: web}\nspec:\n  templates:\n" +
            templates);
  write(".winadmit.yaml",
        "templates: [{group: example.com, kind: Batch, path: 'spec.templates[*]'}]\n");
  const auto checked = check("-o json batch.yaml");
  EXPECT_EQ(nlohmann::json::parse(checked.out)["findings"].size(), 11U) << checked.out;
}

TEST_F(CheckIgnore, JudgesEachTemplateForItself) {
  write("batch.yaml",
        "apiVersion: example.com/v1\nkind: Batch\nmetadata: {name: web}\nspec:\n  templates:\n"
        "  - spec: {nodeSelector: {kubernetes.io/os: windows}, containers: [{name: a, image: a}]}\n"
        "  - spec: {nodeSelector: {kubernetes.io/os: windows}, containers: [{name: a, image: a}]}\n"
        "  - spec: {nodeSelector: {kubernetes.io/os: windows}, containers: [{name: a, image: a}], "
        "hostPID: 1}\n"
        "  - spec: {containers: [{image: mcr.microsoft.com/windows/nanoserver:ltsc2022}]}\n"
        "  - spec: {containers: [{image: mcr.microsoft.com/windows/nanoserver:ltsc2022}]}\n");
  write(".winadmit.yaml",
        "templates: [{group: example.com, kind: Batch, path: 'spec.templates[*]'}]\n");
  const auto count = [](const std::string& text, const std::string& what) {
    std::size_t found = 0;
    for (auto at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++found;
    return found;
  };
  const std::string told = check("--no-mutate batch.yaml").out;
  EXPECT_EQ(count(told, "(advice-unplaced)"), 3U) << told;
  EXPECT_EQ(count(told, "(advice-os-hint)"), 2U) << told;
  EXPECT_EQ(count(told, "(malformed-field)"), 1U) << told;
}

TEST_F(CheckIgnore, ReportsAnUnusedCommentInEveryFormat) {
  write("a.yaml",
        "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  os: {name: windows}\n"
        "  containers: []  # winadmit: ignore host-pid\n");
  const auto output = [&](const std::string& format) {
    const auto checked = check("--fail-on warn a.yaml -o " + format);
    EXPECT_EQ(checked.exit_code, 1) << format;
    EXPECT_NE(checked.out.find("ignores host-pid, which is not found here"), std::string::npos)
        << format << '\n'
        << checked.out;
    return checked.out;
  };
  for (const char* format : {"text", "json", "yaml", "github", "gitlab", "html"}) output(format);
  const std::string junit = output("junit");
  EXPECT_NE(junit.find("tests=\"2\" failures=\"1\""), std::string::npos) << junit;
  EXPECT_NE(junit.find("<testcase name=\"unused-ignore\" classname=\"a.yaml\""), std::string::npos)
      << junit;
  const std::string tap = output("tap");
  EXPECT_NE(tap.find("\nok 1 - a.yaml:1:1: Pod a\nnot ok 2 - a.yaml:6:19: unused-ignore\n"),
            std::string::npos)
      << tap;
  const auto sarif = nlohmann::json::parse(output("sarif"));
  const std::string text = sarif["runs"][0]["results"][0]["message"]["text"];
  EXPECT_TRUE(text.starts_with("ignores host-pid")) << text;
}

TEST_F(CheckIgnore, ComparesWithABaseline) {
  write("a.yaml", pod("a"));
  const auto written = check("--write-baseline known.json a.yaml");
  EXPECT_EQ(written.exit_code, 0);
  EXPECT_NE(written.out, "") << "findings are still printed";
  write("a.yaml", "# moved\n\n" + pod("a") + "---\n" + pod("b"));
  const auto compared = check("--baseline known.json -o json a.yaml");
  EXPECT_EQ(compared.exit_code, 1);
  const auto report = nlohmann::json::parse(compared.out);
  ASSERT_EQ(report["findings"].size(), 1U);
  EXPECT_EQ(report["findings"][0]["name"], "b");
  EXPECT_EQ(report["summary"]["inBaseline"], 1);
  EXPECT_EQ(check("--baseline known.json a.yaml").err.find("not found"), std::string::npos);
  write("a.yaml", pod("b"));
  EXPECT_NE(check("--baseline known.json a.yaml")
                .err.find("in the baseline, and not found: 1 finding; write it again with "
                          "--write-baseline"),
            std::string::npos);
  EXPECT_EQ(check("--baseline none.json a.yaml").exit_code, 2);
  EXPECT_EQ(check("--write-baseline /nowhere/known.json a.yaml").exit_code, 2);
}

TEST_F(CheckIgnore, WritesTheBaselineThroughASymbolicLink) {
  write("a.yaml", pod("a"));
  write("real.json", "old");
  std::filesystem::create_symlink("real.json", folder_ / "link.json");
  EXPECT_EQ(check("--write-baseline link.json a.yaml").exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "link.json"));
  EXPECT_NE(test::read(folder_ / "real.json").find("findings"), std::string::npos);
}

TEST_F(CheckIgnore, WritesNoBaselineOfARunThatCouldNotReadEverything) {
  write("a.yaml", pod("a"));
  write("known.json", "old");
  const auto checked = check("--write-baseline known.json a.yaml missing.yaml");
  EXPECT_EQ(checked.exit_code, 2);
  EXPECT_NE(checked.err.find("known.json is not written, because not everything could be read"),
            std::string::npos)
      << checked.err;
  EXPECT_EQ(test::read(folder_ / "known.json"), "old");
}

}  // namespace
}  // namespace winadmit
