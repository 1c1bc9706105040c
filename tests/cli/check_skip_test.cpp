// What `winadmit check` skips: other YAML and JSON than Kubernetes objects, and templates of
// charts.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/check_files.hpp"

namespace winadmit {
namespace {

class CheckSkips : public test::CheckFiles {};

TEST_F(CheckSkips, ForeignFilesOfAFolderButNotByName) {
  const std::string values = write("values.yaml", "image: {tag: v1}\n");
  write("kustomization.yaml", "resources: [bad.yaml]\n");
  write("bad.yaml", kBad);
  const auto folder = run("check -o json " + folder_.path().string());
  EXPECT_EQ(folder.exit_code, 1) << folder.err;
  EXPECT_NE(folder.err.find("skipped: 2 documents that are no Kubernetes objects"),
            std::string::npos)
      << folder.err;
  const auto report = nlohmann::json::parse(folder.out);
  EXPECT_EQ(report["skipped"][1], values + ":1:1");
  EXPECT_EQ(report["errors"].size(), 0U);
  const auto named = run("check " + values);
  EXPECT_EQ(named.exit_code, 2);
  EXPECT_NE(named.err.find("not a Kubernetes object"), std::string::npos) << named.err;
}

TEST_F(CheckSkips, NoManifestOfAFolderInWhichAFieldIsMistaken) {
  const std::string rest = "metadata: {name: a}\nspec: {os: {name: windows}, hostPID: true}\n";
  const std::string list = "apiVersion: v1\nkind: List\nitems:\n- metadata: {name: a}\n";
  for (const std::string& text :
       {"apiVersion: v1\nkidn: Pod\n" + rest, "apiversion: v1\nkind: Pod\n" + rest,
        "apiVersion: apps/v1\n" + rest, "apiVersion: example.com/v1\nKind: Pod\n" + rest,
        "apiversion: apps/v1\nkind: Deployment\n" + rest,
        std::string("apiVersion: v1\nkidn: Pod\nmetadata: {name: a}\n"),
        std::string("apiVersion: v1\nkidn: Pod\nspec: {hostPID: true}\n"),
        "apiVersion: v1\nkind:\n" + rest, "apiVersion: 1\nkind: Pod\n" + rest, list,
        list + "  kind: Pod\n",
        std::string("apiVersion: example.com/v1\nkind: AllowList\nitems: [a, b]\n")}) {
    const std::string file = write("mistaken.yaml", text);
    for (const std::string& checked : {folder_.path().string(), "--skip-others " + file}) {
      EXPECT_EQ(run("check " + checked).exit_code, 2) << text;
      EXPECT_EQ(run("fix --diff " + checked).exit_code, 2) << text;
    }
  }
  std::filesystem::remove(folder_ / "mistaken.yaml");
  write("Chart.yaml", "apiVersion: v2\nname: a\n");
  write("values.yaml", "kind: DaemonSet\nmetadata: {}\n");
  write("score.yaml", "apiVersion: score.dev/v1b1\nmetadata: {name: a}\n");
  write("devfile.yaml", "apiVersion: 1.0.0\nmetadata: {name: a}\nkidn: x\n");
  write("rule.yaml", "kind: Scheduled\nmetadata: {name: a}\n");
  write("response.json", R"({"kind": "books#volumes", "items": [{"kind": "books#volume"}]})");
  EXPECT_EQ(run("check " + folder_.path().string()).exit_code, 0);
}

TEST_F(CheckSkips, NothingThatCannotBeReadInAFolder) {
  const std::string utf16("\xFF\xFE\x61\0p\0i\0", 8);
  for (const std::string& text :
       {std::string("Resources: {a: 1}\nResources: {b: 1}\n"), utf16,
        std::string("{\n  // comments\n  \"version\": 1,\n}\n"),
        std::string("\"\\x61piVersion\": v1\n\"\\x6bind\": Pod\n# \xFF\n")}) {
    const std::string file = write("broken.yaml", text);
    for (const std::string& checked : {folder_.path().string(), "--skip-others " + file}) {
      EXPECT_EQ(run("check " + checked).exit_code, 2) << text;
      EXPECT_EQ(run("fix --diff " + checked).exit_code, 2) << text;
    }
  }
}

TEST_F(CheckSkips, TemplatesOutsideOfCharts) {
  write("bad.yaml", kBad);
  const std::string text = "apiVersion: v1\nkind: Pod\n{{- if .Values.a }}\nspec: {}\n{{- end }}\n";
  const std::string file = write("template.yaml", text);
  for (const std::string& checked :
       {folder_.path().string(), "--skip-others " + (folder_ / "bad.yaml").string() + ' ' + file}) {
    const auto report = run("check -o json " + checked);
    EXPECT_EQ(report.exit_code, 1) << report.err;
    EXPECT_NE(report.err.find("skipped: 1 unrendered template; check what is rendered"),
              std::string::npos)
        << report.err;
    EXPECT_EQ(nlohmann::json::parse(report.out)["skippedTemplates"],
              nlohmann::json({file + ":3:1"}));
    const auto fixed = run("fix --diff " + checked);
    EXPECT_EQ(fixed.exit_code, 1) << fixed.err;
    EXPECT_NE(fixed.err.find(file + ":3:1: a template is not changed; fix what is rendered"),
              std::string::npos)
        << fixed.err;
  }
  for (const std::string command : {"check ", "fix "}) {
    const auto named = run(command + file);
    EXPECT_EQ(named.exit_code, 2);
    EXPECT_NE(named.err.find(file + ":3:1: error: is a template and no YAML: "), std::string::npos);
    EXPECT_NE(named.err.find("--exclude"), std::string::npos) << named.err;
    EXPECT_EQ(run(command + "--skip-others " + file).exit_code, 0) << "skipped, and no error";
  }
}

TEST_F(CheckSkips, OthersThanManifestsAlsoIfTheyAreNamed) {
  const std::string bad = write("bad.yaml", kBad), values = write("values.yaml", "a: 1\n");
  std::filesystem::create_directories(folder_ / "chart/templates/web");
  write("chart/Chart.yaml", "name: chart\n");
  const std::string in_chart = write("chart/templates/web/pod.yaml", "kind: {{ .x }}\n");
  const std::string named = bad + ' ' + values + ' ' + in_chart;
  EXPECT_EQ(run("check " + named).exit_code, 2);
  const auto skipping = run("check --skip-others -o json " + named);
  EXPECT_EQ(skipping.exit_code, 1) << skipping.err;
  const auto report = nlohmann::json::parse(skipping.out);
  EXPECT_EQ(report["skipped"], nlohmann::json({values + ":1:1"}));
  EXPECT_EQ(report["skippedCharts"], nlohmann::json({(folder_ / "chart/templates").string()}));
  const std::string templates = (folder_ / "chart/templates").string();
  for (const std::string& each :
       {values, in_chart, templates, templates + '/', templates + "/web", "-R " + templates})
    EXPECT_EQ(run("check --skip-others " + each).exit_code, 0) << each;
  EXPECT_EQ(run("check --skip-others .", "cd " + templates + " &&").exit_code, 0);
  EXPECT_EQ(run("check --skip-others -", "printf '' |").exit_code, 0) << "an empty buffer";
  write("broken.yaml", "apiVersion: v1\nkind: Pod\n  spec: x\n");
  EXPECT_EQ(run("check --skip-others " + (folder_ / "broken.yaml").string()).exit_code, 2);
  EXPECT_EQ(run("check --skip-others " + (folder_ / "none.yaml").string()).exit_code, 2);
}

TEST_F(CheckSkips, TheTemplatesOfHelmChartsInAFolder) {
  write("pod.yaml", kGood);
  std::filesystem::create_directories(folder_ / "chart/templates");
  write("chart/Chart.yaml", "name: chart\n");
  write("chart/templates/pod.yaml", "kind: Pod\napiVersion: v1\nmetadata: {name: {{ .x }}}\n");
  const auto checked = run("check -R -o json " + folder_.path().string());
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
  EXPECT_NE(checked.err.find("skipped: the templates of 1 Helm chart"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(checked.out)["skippedCharts"][0],
            (folder_ / "chart/templates").string());
  const auto fixed = run("fix -R --diff " + folder_.path().string());
  EXPECT_NE(fixed.err.find("templates of a Helm chart are not changed"), std::string::npos);
  const auto named = run("check " + (folder_ / "chart/templates").string());
  EXPECT_EQ(named.exit_code, 0);
  EXPECT_NE(named.err.find("skipped: 1 unrendered template"), std::string::npos) << named.err;
}

}  // namespace
}  // namespace winadmit
