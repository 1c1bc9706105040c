// `winadmit check` on files, folders and standard input.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/report/report.hpp"
#include "tests/cli/check_files.hpp"
#include "tests/test_data.hpp"

namespace winadmit {
namespace {

namespace fs = std::filesystem;

class Check : public test::CheckFiles {};

TEST_F(Check, ReadsAFolderAndWithRecursiveTheFoldersInIt) {
  fs::create_directory(folder_ / "in");
  write("b.yml", kGood);
  write("a.yaml", kGood);
  write("c.json", R"({"apiVersion": "v1", "kind": "Namespace"})");
  write("notes.txt", "no manifest");
  write("in/d.yaml", kBad);
  const auto folder_alone = run("check -f " + folder_.path().string());
  EXPECT_EQ(folder_alone.exit_code, 0) << folder_alone.err;
  EXPECT_TRUE(folder_alone.err.starts_with("3 objects, 0 with Windows pods: 0 refused"))
      << folder_alone.err;
  const auto all = run("check -R -f " + folder_.path().string());
  EXPECT_EQ(all.exit_code, 1);
  EXPECT_TRUE(all.err.starts_with("errors: 1 host-pid\n4 objects, 1 with Windows pods: 1 refused"))
      << all.err;
}

TEST_F(Check, ReadsSeveralFilesAndStandardInput) {
  const std::string good = write("good.yaml", kGood), bad = write("bad.yaml", kBad);
  EXPECT_EQ(run("check " + good + ' ' + bad).exit_code, 1);
  EXPECT_EQ(run("check -f " + good + " -f " + bad).exit_code, 1);
  const auto piped = run("check -f -", "", bad);
  EXPECT_EQ(piped.exit_code, 1);
  EXPECT_TRUE(piped.out.starts_with("<stdin>:1:80: error: Pod bad: ")) << piped.out;
  EXPECT_EQ(run("check -").exit_code, 2) << "standard input is empty";
}

TEST_F(Check, ReadsEachFileOnce) {
  const std::string bad = write("bad.yaml", kBad);
  const std::string folder = folder_.path().string();
  const auto objects_in = [&](const std::string& arguments) {
    const auto checked = run("check -o json " + arguments, "cd " + folder + " &&");
    return nlohmann::json::parse(checked.out)["summary"]["objects"];
  };
  EXPECT_EQ(objects_in("bad.yaml ./bad.yaml " + bad), 1);
  EXPECT_EQ(objects_in(". bad.yaml"), 1);
  fs::create_symlink("bad.yaml", folder_ / "a-link.yaml");
  EXPECT_EQ(objects_in("."), 1);
  EXPECT_EQ(objects_in("a-link.yaml"), 1);
  fs::create_hard_link(bad, folder_ / "other.yaml");
  EXPECT_EQ(objects_in("."), 2) << "a hard link is a file of its own";
}

TEST_F(Check, TakesAFileOfCommentsForNoErrorButNothingForOne) {
  const std::string comments = write("comments.yaml", "# later\n---\n"),
                    blank = write("b.yaml", "\n");
  EXPECT_EQ(run("check " + comments).exit_code, 0);
  EXPECT_EQ(run("check " + blank + ' ' + comments).exit_code, 0);
  EXPECT_EQ(run("check " + folder_.path().string()).exit_code, 0);
  const auto alone = run("check " + blank);
  EXPECT_EQ(alone.exit_code, 2);
  EXPECT_EQ(alone.err, "winadmit: no objects found in " + blank + '\n');
  const auto piped = run("check -", "", comments);
  EXPECT_EQ(piped.exit_code, 2) << "what fills the pipe may have failed";
  EXPECT_EQ(piped.err, "winadmit: no objects found in <stdin>\n");
}

TEST_F(Check, TakesAnEmptyListForNoError) {
  const std::string empty =
      write("empty.json", R"({"apiVersion": "v1", "kind": "List", "items": []})");
  for (const std::string command : {"check -", "fix -"}) {
    const auto piped = run(command, "", empty);
    EXPECT_EQ(piped.exit_code, 0) << command << ": " << piped.err;
  }
}

TEST_F(Check, LocatesWhatCannotBeRead) {
  const std::string file = write("a.yaml", "apiVersion: v1\nkidn: Pod\nmetadata: {name: a}\n");
  EXPECT_EQ(nlohmann::json::parse(run("check -o json " + file).out)["errors"],
            nlohmann::json({file + ":1:1: not a Kubernetes object: kind is missing"}));
  fs::create_directories(folder_ / "tree/b");
  fs::create_symlink("nowhere", folder_ / "tree/b/l.yaml");
  write("empty.yaml", "");
  const std::string here = "cd " + folder_.path().string() + " &&";
  EXPECT_EQ(run("check -R tree -o github", here).out,
            "::error file=tree/b/l.yaml,title=winadmit::cannot read tree/b/l.yaml: No such file or "
            "directory\n");
  EXPECT_TRUE(run("check empty.yaml -o github", here).out.starts_with("::error file=empty.yaml,"));
  EXPECT_NE(run("check -R .", "cd " + (folder_ / "tree").string() + " &&")
                .err.find("cannot read b/l.yaml: "),
            std::string::npos);
}

TEST_F(Check, ShowsWhatToTypeWithoutAFile) {
  EXPECT_EQ(run("check").err,
            "FILE or --filename is required\nUsage: winadmit check [OPTIONS] FILE...\n"
            "Run with --help for more information.\n");
}

TEST_F(Check, NamesAnUnknownFlagAndASimilarOne) {
  for (const char* arguments : {"check --plat aks", "check --plat aks a.yaml"})
    EXPECT_TRUE(
        run(arguments).err.starts_with("there is no flag --plat"
                                       "; did you mean --platform?\n"))
        << run(arguments).err;
  EXPECT_TRUE(run("--versionn check a.yaml").err.starts_with("there is no flag --versionn; did"));
  EXPECT_TRUE(
      run("rules foo --dif").err.starts_with("there is no flag --dif; did you mean --diff"));
  EXPECT_TRUE(run("check -x").err.starts_with("there is no flag -x\n"));
  EXPECT_EQ(run("check -x").exit_code, 2);
}

TEST_F(Check, RefusesAFlagWithAnEmptyValue) {
  const auto result = run("check --exclude= --quiet " + write("bad.yaml", kBad));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "winadmit: --exclude= has no value\n");
  EXPECT_EQ(run("check -- --exclude=").err.find("has no value"), std::string::npos);
}

TEST_F(Check, ReadsNothingFromAClosedStandardInput) {
  const std::string bad = write("bad.yaml", kBad);
  const auto result = run("check -f " + bad + " -f -", "", "&-");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("cannot read standard input"), std::string::npos) << result.err;
}

TEST_F(Check, ReportsMissingFilesAndChecksTheOthers) {
  const std::string bad = write("bad.yaml", kBad);
  fs::create_directory(folder_ / "empty");
  const auto result = run("check " + bad + " nowhere.yaml " + (folder_ / "empty").string());
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.out.find("host-pid"), std::string::npos);
  EXPECT_NE(result.err.find("cannot read nowhere.yaml: No such file"), std::string::npos);
  EXPECT_NE(result.err.find("empty: contains no .yaml, .yml or .json file"), std::string::npos);
  EXPECT_EQ(run("check").exit_code, 2);
  EXPECT_EQ(run("check --default-os beos " + bad).exit_code, 2);
}

TEST_F(Check, AsksForALinuxSelectorOnlyWherePodsMayGetWindowsNodes) {
  const std::string manifest = test::data("check/linux-unpinned.yaml").string();
  const auto warns = [&](const std::string& flags) {
    const auto result = run("check " + flags + ' ' + manifest);
    EXPECT_EQ(result.exit_code, 0) << flags;
    return result.out.find("advice-linux-unpinned") != std::string::npos;
  };
  for (const char* platform : {"kep", "kubernetes", "eks", "gke", "openshift"}) {
    EXPECT_FALSE(warns(std::string("--platform ") + platform)) << platform;
  }
  for (const char* platform : {"aks", "rke2", "any"}) {
    EXPECT_TRUE(warns(std::string("--platform ") + platform)) << platform;
  }
  EXPECT_FALSE(warns(""));
  EXPECT_TRUE(warns("--default-os linux"));
  EXPECT_TRUE(warns("--config " + write("linux.yaml", "defaultOs: linux\n")));
  const std::string tainted = write("tainted.yaml", "tolerations: [{key: sku, value: windows}]\n");
  EXPECT_FALSE(warns("--platform aks --config " + tainted)) << "the nodes have a taint";
}

TEST_F(Check, TakesTheDefaultOsOfTheConfigurationUnlessTheFlagSaysOne) {
  const std::string config = "--config " + write("windows.yaml", "defaultOs: windows\n");
  const std::string pod = write("pod.yaml",
                                "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n"
                                "spec: {hostPID: true, containers: [{name: c, image: x}]}\n");
  EXPECT_EQ(run("check " + pod).exit_code, 0);
  EXPECT_EQ(run("check " + config + ' ' + pod).exit_code, 1);
  EXPECT_EQ(run("check " + config + " --default-os linux " + pod).exit_code, 0);
}

TEST_F(Check, FollowsTheConfiguration) {
  const std::string bad = write("bad.yaml", kBad);
  const std::string lenient = write("lenient.yaml", "rules: {host-pid: warn}\n");
  const auto result = run("check --config " + lenient + ' ' + bad);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.out.find(": warning: Pod bad: spec.hostPID: "), std::string::npos) << result.out;
}

TEST_F(Check, LeavesOutWhatTheConfigurationExemptsInTheNamespace) {
  const std::string pod =
      "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: team-a}\n"
      "spec: {os: {name: windows}, hostPID: true, containers: [{name: a, image: a}]}\n";
  const auto check = [&](const std::string& entry, const std::string& flags = "") {
    const std::string config = write("c.yaml", "exempt: {findings: [{reason: r, " + entry + "}]}");
    return run("check --config " + config + ' ' + flags + ' ' + write("pod.yaml", pod));
  };
  EXPECT_EQ(check("namespace: team-a, rule: host-pid").out, "");
  EXPECT_EQ(check("namespace: team-a, until: 2999-12-31").exit_code, 0);
  EXPECT_EQ(check("namespace: team-b").exit_code, 1);
  EXPECT_EQ(check("namespace: team-a, until: 2000-01-01").exit_code, 1);
  EXPECT_NE(check("rule: host-pid", "--no-mutate").out.find("advice-unplaced"), std::string::npos);
  EXPECT_EQ(check("namespace: team-a", "--no-mutate").out, "");
}

TEST_F(Check, LeavesOutExemptAdviceThatIsOfNoWebhook) {
  const std::string deployment = write(
      "web.yaml",
      "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: team-a}\n"
      "spec: {template: {spec: {os: {name: Windows}, tolerations: [{key: os, value: windows}],\n"
      "  containers: [{name: a, image: a}]}}}\n");
  EXPECT_NE(run("check " + deployment).out.find("(advice-"), std::string::npos);
  const std::string config =
      write("c.yaml", "exempt: {findings: [{namespace: team-a, reason: r}]}\n");
  EXPECT_EQ(run("check --config " + config + ' ' + deployment).out, "");
}

TEST_F(Check, ExitsWithTwoIfNothingCanBeWritten) {
  const std::string good = write("good.yaml", kGood), bad = write("bad.yaml", kBad);
  const auto to_full_disk = [&](const std::string& arguments) {
    const std::string command =
        test::binary() + " " + arguments + " >/dev/full 2>" + (folder_ / "err").string();
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  };
  EXPECT_EQ(to_full_disk("check " + bad), 2);
  EXPECT_NE(test::read(folder_ / "err").find("cannot write to standard output"), std::string::npos);
  EXPECT_EQ(to_full_disk("check -o json " + good), 2);
  EXPECT_EQ(to_full_disk("fix " + good), 2);
  EXPECT_EQ(to_full_disk("rules"), 2);
}

TEST_F(Check, PrefersTwoOverOneAndPrintsTheFindings) {
  const std::string bad = write("bad.yaml", kBad);
  for (const std::string& format : cli::report_formats()) {
    const auto result = run("check nowhere.yaml " + bad + " -o " + format);
    EXPECT_EQ(result.exit_code, 2) << format;
    EXPECT_NE(result.out.find("host-pid"), std::string::npos) << format;
  }
  EXPECT_EQ(run("check --exit-zero nowhere.yaml " + bad).exit_code, 2);
}

TEST_F(Check, JudgesAReviewAsTheServerDoes) {
  const std::string sample = test::kSamples + "unsupported-windows-pod.json";
  const auto checked = run("check -o json " + sample);
  EXPECT_EQ(checked.exit_code, 1);
  const auto findings = nlohmann::json::parse(checked.out)["findings"];
  EXPECT_EQ(findings.size(), 8U);
  const auto answered = run("review " + sample);
  EXPECT_EQ(answered.exit_code, 1);
  const auto response = nlohmann::json::parse(answered.out)["response"];
  const auto message = response["status"]["message"].get<std::string>();
  for (const auto& each : findings) {
    const std::string text = each["field"].get<std::string>() + ": " +
                             each["message"].get<std::string>() + " (" +
                             each["rule"].get<std::string>() + ')';
    EXPECT_NE(message.find(text), std::string::npos) << text << "\nis not in\n" << message;
  }
}

TEST_F(Check, ShowsColoursOnlyWhereTheyAreWanted) {
  const std::string bad = write("bad.yaml", kBad);
  EXPECT_EQ(run("check " + bad).out.find('\x1b'), std::string::npos);
  EXPECT_NE(run("check --color always " + bad).out.find("\x1b[31m"), std::string::npos);
  EXPECT_EQ(run("check --color always -o json " + bad).out.find('\x1b'), std::string::npos);
  EXPECT_EQ(run("check " + bad, "WINADMIT_COLOR=never").out.find('\x1b'), std::string::npos);
  EXPECT_EQ(run("check --color sometimes " + bad).exit_code, 2);
}

/// On a pseudo-terminal, which util-linux's script makes.
class CheckOnATerminal : public Check {
 protected:
  void SetUp() override {
    if (!test::has_terminal()) GTEST_SKIP() << "no pseudo-terminal";
  }

  std::string shown(const std::string& command, const std::string& environment = "") const {
    const auto out = folder_ / "shown";
    const std::string line = environment + " TERM=xterm script -qec '" + command + "' /dev/null >" +
                             out.string() + " 2>&1 </dev/null";
    [[maybe_unused]] const int status = std::system(line.c_str());
    return test::read(out);
  }
};

TEST_F(CheckOnATerminal, GroupsFindingsAndUsesColours) {
  const std::string check = test::binary() + " check " + write("bad.yaml", kBad);
  const std::string colour = shown(check), plain = shown(check, "NO_COLOR=1");
  EXPECT_NE(colour.find("\x1b[31merror\x1b[0m"), std::string::npos) << colour;
  EXPECT_EQ(plain.find('\x1b'), std::string::npos) << plain;
  EXPECT_NE(plain.find("^^^^^^^"), std::string::npos) << plain;
  EXPECT_NE(plain.find("errors: 1 host-pid"), std::string::npos) << plain;
  EXPECT_EQ(shown(check + " --color never").find('\x1b'), std::string::npos);
}

TEST_F(CheckOnATerminal, ShowsProgressOfALongRunAlone) {
  const std::string file = write("good.yaml", kGood);
  const std::string slow = "(cat " + file + "; sleep 1.2) | " + test::binary() + " check -f -";
  EXPECT_NE(shown(slow).find("1 files, 1 objects"), std::string::npos) << shown(slow);
  EXPECT_EQ(shown(slow + " 2>&1 | cat").find("files,"), std::string::npos) << "no terminal";
  EXPECT_EQ(shown(test::binary() + " check " + file).find("files,"), std::string::npos) << "short";
}

TEST_F(Check, SaysIn124ThatPodSecurityAndSpecOsExcludeEachOther) {
  const std::string file = write("restricted.yaml",
                                 "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n"
                                 "  os: {name: windows}\n  containers:\n"
                                 "  - {name: a, image: a, securityContext: {capabilities: "
                                 "{drop: [ALL]}, allowPrivilegeEscalation: false}}\n");
  const auto result = run("check --kubernetes-version 1.24 " + file);
  std::size_t told = 0;
  for (std::size_t at = 0;
       (at = result.out.find("requires it: then remove spec.os.name", at)) != std::string::npos;
       ++at) {
    ++told;
  }
  EXPECT_EQ(told, 2U) << result.out;
}

TEST_F(Check, NamesFilesWithoutTheWorkingDirectory) {
  write("bad.yaml", kBad);
  const std::string here = "cd " + folder_.path().string() + " &&";
  for (const char* arguments : {"check .", "check ./bad.yaml", "check ./././bad.yaml"})
    EXPECT_TRUE(run(arguments, here).out.starts_with("bad.yaml:1:")) << arguments;
}

TEST_F(Check, RefusesEndlessNestingAndAliases) {
  const std::string deep(5000, '[');
  for (const std::string& text :
       {deep + std::string(5000, ']'), "{\"a\": " + deep, std::string("a: &a [*a]\n"),
        std::string("a: &a {<<: *a}\n"),
        std::string("a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"
                    "c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n"
                    "e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\n"
                    "g: [*f,*f,*f,*f,*f,*f,*f,*f,*f,*f]\n")}) {
    const auto result = run("check " + write("endless.yaml", text));
    EXPECT_EQ(result.exit_code, 2) << text.substr(0, 20);
    EXPECT_NE(result.err.find("endless.yaml"), std::string::npos) << result.err;
  }
}

}  // namespace
}  // namespace winadmit
