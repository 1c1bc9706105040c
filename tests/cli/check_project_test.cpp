// `winadmit check` by the .winadmit.yaml of a folder: policy, templates and excluded files, and the
// errors in it. What it ignores is in check_ignore_test.cpp.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/check_in_folder.hpp"

namespace winadmit {
namespace {

class CheckProject : public test::CheckInFolder {};

TEST_F(CheckProject, LocatesAMistakeInTheProjectFileThere) {
  write("a.yaml", pod("a"));
  write(".winadmit.yaml", "ignore:\n- rule: nope\n  bad: 1\n");
  EXPECT_TRUE(check("a.yaml -o github").out.starts_with("::error file=")) << check("a.yaml").err;
}

TEST_F(CheckProject, EndsItsReportIfTheProjectOfAFolderCannotBeRead) {
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

TEST_F(CheckProject, EndsItsReportIfTheProjectOfTheWorkingDirectoryCannotBeRead) {
  std::filesystem::create_directory(folder_ / "good");
  write("good/a.yaml", pod("a"));
  write("good/.winadmit.yaml", "exclude: [none]\n");
  write("b.yaml", pod("b"));
  for (const char* project : {"ignore: [{rule: host-pi}]\n", "policy: {setOs: true}\n"}) {
    write(".winadmit.yaml", project);
    for (const std::string format : {"json", "sarif", "html", "junit"}) {
      const auto checked = check("-R --kubernetes-version 1.20 -o " + format + " .");
      EXPECT_EQ(checked.exit_code, 2);
      EXPECT_NE(checked.out.find("host-pid"), std::string::npos) << format << ": the others";
    }
    EXPECT_EQ(check("--kubernetes-version 1.20 good").exit_code, 1) << "it is for no file there";
    EXPECT_EQ(check("--no-project --kubernetes-version 1.20 b.yaml").exit_code, 1);
  }
}

TEST_F(CheckProject, LeavesOutFiles) {
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

TEST_F(CheckProject, JudgesByThePolicyOfTheFolder) {
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

TEST_F(CheckProject, SaysWhichRulesItTurnsDown) {
  write("a.yaml", pod("a") + "  hostIPC: true\n  containers: [{name: a, image: a}]\n");
  const auto summary = [this](const std::string& project, const std::string& flags) {
    write(".winadmit.yaml", project);
    return check(flags + " a.yaml");
  };
  for (const std::string& output :
       {std::string(""), std::string("-o github "), std::string("-o gitlab ")}) {
    const auto text =
        summary("policy: {rules: {host-pid: allow, host-ipc: warn, advice-arch: deny}}\n", output);
    EXPECT_NE(text.err.find("\n.winadmit.yaml turns down 2 rules: host-ipc, host-pid\n"),
              std::string::npos)
        << text.err;
  }
  const std::string exempt =
      "policy: {exempt: {findings: [{rule: host-pid, reason: r}, {rule: host-ipc, "
      "reason: r, until: 2020-01-31}]}}\n";
  const auto report = nlohmann::json::parse(summary(exempt, "-o json").out);
  EXPECT_EQ(report["summary"]["projectTurnsDown"][".winadmit.yaml"],
            nlohmann::json::array({"host-pid"}));
  EXPECT_EQ(report["summary"]["accepted"], 1);
  EXPECT_NE(summary(exempt, "").err.find("\naccepted by the configuration: 1 finding\n"),
            std::string::npos);
  EXPECT_NE(summary("policy: {exempt: {findings: [{namespace: default, reason: r}]}}\n", "")
                .err.find(".winadmit.yaml turns down "),
            std::string::npos);
  EXPECT_EQ(summary("policy: {rules: {host-pid: allow}}\n", "--no-project").err.find("turns down"),
            std::string::npos);
  write("b.yaml", pod("b") + "  runtimeClassName: r\n");
  write(".winadmit.yaml", "policy: {exempt: {runtimeClasses: [r]}}\n");
  EXPECT_NE(check("b.yaml").err.find("\nexempt by the configuration: 1 object\n"),
            std::string::npos);
}

TEST_F(CheckProject, JudgesTheTemplatesOfOtherKinds) {
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

TEST_F(CheckProject, JudgesEachTemplateForItself) {
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

}  // namespace
}  // namespace winadmit
