// What `winadmit check` ignores by .winadmit.yaml and comments; baselines are in baseline_test.cpp,
// annotations in tests/data/check/ignored.yaml.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/check_in_folder.hpp"

namespace winadmit {
namespace {

class CheckIgnore : public test::CheckInFolder {};

TEST_F(CheckIgnore, FollowsTheProjectAndReportsUnusedEntries) {
  write("a.yaml", pod("a"));
  write(".winadmit.yaml",
        "ignore:\n- {rule: host-pid, name: a}\n- {rule: host-ipc, reason: none}\n");
  const auto folder = check(".");
  EXPECT_EQ(folder.exit_code, 0) << folder.out;
  EXPECT_EQ(folder.out,
            ".winadmit.yaml:3:1: warning: ignores host-ipc, which is not found here; remove it, or "
            "correct what it names (unused-ignore)\n");
  EXPECT_EQ(folder.err,
            "warnings: 1 unused-ignore\n"
            "1 object, 1 with Windows pods: 0 refused, 0 with warnings\n"
            "1 warning about comments and .winadmit.yaml\nignored: 1 finding\n");
  EXPECT_EQ(check("--fail-on warn .").exit_code, 1);
  EXPECT_EQ(check("a.yaml").out, "") << "an entry may be for another file";
  EXPECT_EQ(check("--no-ignore a.yaml").exit_code, 1);
  write(".winadmit.yaml", "ignore: 1\n");
  EXPECT_EQ(check("a.yaml").exit_code, 2);
}

TEST_F(CheckIgnore, TreatsStandardInputAsTheFileThatItIsTheTextOf) {
  std::filesystem::create_directory(folder_ / "inner");
  write("pod", pod("a"));  // what an editor has
  const auto check_as = [&](const std::string& name, const std::string& more = "") {
    return check("-q --stdin-filename " + name + more + " -", "pod");
  };
  const auto found = check_as("inner/new.yaml");
  EXPECT_EQ(found.exit_code, 1);
  EXPECT_TRUE(found.out.starts_with("inner/new.yaml:6:3: error: Pod a: spec.hostPID")) << found.out;
  EXPECT_EQ(check_as("new.yaml", " --exclude new.yaml").exit_code, 0);
  write("inner/.winadmit.yaml", "ignore: [{rule: host-pid, file: 'n*'}]\n");
  EXPECT_EQ(check_as("inner/new.yaml").exit_code, 0);
  EXPECT_EQ(check_as("inner/other.yaml").exit_code, 1);
  EXPECT_EQ(check_as("new.yaml").exit_code, 1) << "it is outside of the folder";
  write("a.yaml", pod("a"));
  EXPECT_EQ(check_as("a.yaml", " a.yaml").out, check("-q a.yaml").out + check("-q a.yaml").out)
      << "the file is another text";
  EXPECT_EQ(check("--stdin-filename a.yaml a.yaml").exit_code, 2);
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

TEST_F(CheckIgnore, SaysHowWhatIsWrittenInAnotherWayIsWritten) {
  const auto checked = [&](const std::string& annotation, const std::string& comment) {
    write("a.yaml",
          "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  annotations:\n    "
          "winadmit.dev/ignore: '" +
              annotation +
              "'\nspec:\n  os: {name: windows}\n  "
              "containers: []  # " +
              comment + "\n");
    return check("a.yaml").out;
  };
  const std::string write = "write 'host-pid: reason', and ; between rules (unused-ignore)\n";
  EXPECT_NE(checked("host-pid it reads", "x").find(write), std::string::npos);
  EXPECT_NE(checked("host-pid, host-ipc: x", "x").find(write), std::string::npos);
  EXPECT_NE(checked("", "winadmit: ignore").find(": warning: names no rule; "), std::string::npos);
}

TEST_F(CheckIgnore, CallsNoEntryUnusedIfAFolderInItsOwnWasChecked) {
  std::filesystem::create_directory(folder_ / "inner");
  write("inner/b.yaml", pod("b"));
  write("a.yaml", pod("a"));
  write(".winadmit.yaml", "ignore: [{rule: host-pid}, {rule: host-ipc}]\n");
  EXPECT_EQ(check("-R inner").out, "") << "it may be for a.yaml";
  EXPECT_EQ(check("inner").out, "");
}

TEST_F(CheckIgnore, CallsNoEntryUnusedIfAnotherFolderWasChecked) {
  write(".winadmit.yaml", "ignore: [{rule: host-pid}, {rule: host-ipc}]\n");
  write("a.yaml", pod("a"));
  write("b.yaml", pod("b"));
  const test::TemporaryFolder other;
  other.write("c.yaml", "apiVersion: v1\nkind: ConfigMap\n");
  EXPECT_EQ(check("a.yaml " + other.path().string()).out, "") << "it may be for b.yaml";
}

TEST_F(CheckIgnore, CallsEntriesUnusedBesideALinkToAFolder) {
  write(".winadmit.yaml", "ignore: [{rule: host-pid}, {rule: host-ipc}]\n");
  write("a.yaml", pod("a"));
  const test::TemporaryFolder other;
  std::filesystem::create_directory_symlink(other.path(), folder_ / "link");
  EXPECT_NE(check(".").out.find("ignores host-ipc, which is not found here"), std::string::npos);
}

TEST_F(CheckIgnore, CountsEachOfSeveralThatIgnoreAFindingAsUsed) {
  std::string ignoring = pod("a", ", annotations: {winadmit.dev/ignore: host-pid}");
  ignoring.insert(ignoring.size() - 1, "  # winadmit: ignore host-pid");
  write("a.yaml", ignoring);
  write(".winadmit.yaml", "ignore: [{rule: host-pid}]\n");
  const auto checked = check(".");
  EXPECT_EQ(checked.exit_code, 0);
  EXPECT_EQ(checked.out, "");
}

TEST_F(CheckIgnore, ReadsCommentsOfStandardInput) {
  std::string ignoring = pod("b");
  ignoring.insert(ignoring.size() - 1, "  # winadmit: ignore host-pid it reads");
  const std::string file = write("in.yaml", "---\n" + pod("a") + "---\n" + ignoring);
  const auto piped = run("check -f -", "", file);
  EXPECT_TRUE(piped.out.starts_with("<stdin>:7:3: error: Pod a: ")) << piped.out;
  EXPECT_EQ(piped.out.find("Pod b"), std::string::npos) << piped.out;
  EXPECT_EQ(piped.err,
            "errors: 1 host-pid\n"
            "2 objects, 2 with Windows pods: 1 refused, 0 with warnings\nignored: 1 finding\n");
}

TEST_F(CheckIgnore, FixFailsIfAPodHasMoreFindingsThanItCanKnow) {
  std::string text = test::pod_with_findings(1002);
  const std::string name = "{name: a}";
  text.replace(text.find(name), name.size(),
               "{name: a, annotations: {winadmit.dev/ignore: privileged}}");
  write("a.yaml", text);
  const auto fixed = run("fix --check -f " + (folder_ / "a.yaml").string());
  EXPECT_EQ(fixed.exit_code, 2);
  EXPECT_NE(fixed.err.find("Pod a has too many findings: at least 2 left out"), std::string::npos)
      << fixed.err;
}

TEST_F(CheckIgnore, TakesNoValueForAComment) {
  const std::string map =
      "apiVersion: v1\nkind: ConfigMap\ndata:\n  pod.yaml: |\n    spec:\n"
      "      hostPID: true  # winadmit: ignore host-pid\n";
  EXPECT_EQ(check(write("map.yaml", map)).out, "") << "it ignores nothing here, and says nothing";
  const nlohmann::json object = {
      {"apiVersion", "v1"}, {"kind", "ConfigMap"}, {"data", {{"a", " # winadmit: ignore b"}}}};
  EXPECT_EQ(check(write("map.txt", object.dump())).out, "");
  EXPECT_NE(check(write("end.yaml", map + "# winadmit: ignore host-pid\n")).out, "") << "a comment";
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
  for (const char* format : {"text", "json", "github", "gitlab", "html"}) output(format);
  const std::string junit = output("junit");
  EXPECT_NE(junit.find("tests=\"2\" failures=\"1\""), std::string::npos) << junit;
  EXPECT_NE(junit.find("<testcase name=\"unused-ignore\" classname=\"a.yaml\""), std::string::npos)
      << junit;
  const auto sarif = nlohmann::json::parse(output("sarif"));
  const std::string text = sarif["runs"][0]["results"][0]["message"]["text"];
  EXPECT_TRUE(text.starts_with("ignores host-pid")) << text;
}

}  // namespace
}  // namespace winadmit
