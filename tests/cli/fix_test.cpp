// `winadmit fix` on the manifests in tests/data.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <filesystem>

#include "tests/cli/binary.hpp"
#include "tests/cli/unplaced_pod.hpp"
#include "tests/test_data.hpp"

namespace winadmit {
namespace {

namespace fs = std::filesystem;
using test::kUnplacedPod;

class Fix : public test::Binary {};

TEST_F(Fix, IsIdempotent) {
  for (const auto& entry : fs::directory_iterator(test::data("fix"))) {
    if (entry.path().extension() != ".yaml") continue;
    const auto once = run("fix " + entry.path().string());
    if (once.exit_code == 2) continue;
    const auto twice = run("fix " + write("once.yaml", once.out));
    EXPECT_EQ(twice.out, once.out) << entry.path();
    EXPECT_EQ(twice.exit_code, once.exit_code) << entry.path();
  }
}

TEST_F(Fix, ReportsWhatCheckReports) {
  for (const auto& entry : fs::directory_iterator(test::data("check"))) {
    if (entry.path().extension() != ".yaml") continue;
    const auto fixed = run("fix " + entry.path().string());
    if (fixed.exit_code == 2) continue;
    EXPECT_EQ(run("check " + write("fixed.yaml", fixed.out)).exit_code, fixed.exit_code)
        << entry.path();
  }
}

TEST_F(Fix, SaysThatTheAddedTolerationsAreThoseOfTheDefaultPlatform) {
  const std::string pod = write("pod.yaml", kUnplacedPod);
  const std::string line =
      "winadmit: added os=Win1809, which few clusters use; say what yours is: --platform "
      "kubernetes|eks|gke|openshift|aks|rke2|any\n";
  EXPECT_TRUE(run("fix " + pod + ' ' + pod).err.ends_with(line));
  const std::string config = write("c.yaml", "tolerations: [{key: a}]\n");
  const std::string placed = write("placed.yaml", run("fix " + pod).out);
  for (const std::string& arguments : {"--platform kep " + pod, "--config " + config + ' ' + pod,
                                       "--platform kubernetes " + pod, placed}) {
    EXPECT_EQ(run("fix " + arguments).err.find("few clusters"), std::string::npos) << arguments;
  }
}

TEST_F(Fix, MakesNamesOfFilesPrintable) {
  const std::string file = write("a\n::error::b.yaml", kUnplacedPod);
  const auto check = run("fix --check '" + file + '\'');
  EXPECT_EQ(check.exit_code, 1);
  EXPECT_TRUE(check.out.ends_with("/a\\n::error::b.yaml\n")) << check.out;
  const auto diff = run("fix --diff '" + file + '\'');
  EXPECT_EQ(diff.out.find("\n::error::"), std::string::npos) << diff.out;
}

TEST_F(Fix, EditsAFileWithSeveralNamesOnce) {
  const std::string file = write("b.yaml", kUnplacedPod);
  const std::string folder = folder_.path().string();
  fs::create_symlink("b.yaml", folder_ / "a.yaml");
  fs::create_directory_symlink(".", folder_ / "f");
  const auto fix = [&](const std::string& arguments) {
    return run("fix " + arguments, "cd " + folder + " &&");
  };
  const auto diff = fix("--diff . a.yaml b.yaml f/b.yaml");
  EXPECT_TRUE(diff.out.starts_with("--- a/b.yaml\n+++ b/b.yaml\n")) << diff.out;
  EXPECT_EQ(diff.out.find("--- ", 1), std::string::npos) << diff.out;
  EXPECT_EQ(fix("--check .").out, "b.yaml\n");
  EXPECT_EQ(fix("--check a.yaml").out, "b.yaml\n") << "what a link leads to is edited";
  EXPECT_EQ(run("fix --check " + folder).out, file + "\n");
  EXPECT_EQ(fix("--check --exclude b.yaml a.yaml").out, "");
  EXPECT_TRUE(fix("a.yaml").out.starts_with("{apiVersion: v1"));
  EXPECT_EQ(fix("--in-place a.yaml").exit_code, 0);
  EXPECT_TRUE(fs::is_symlink(folder_ / "a.yaml"));
  EXPECT_NE(test::read(file), kUnplacedPod);
}

TEST_F(Fix, SaysThatAFileStaysBecauseAPartCannotBeRead) {
  const std::string text = std::string(kUnplacedPod) + "---\n[\n";
  const std::string file = write("a.yaml", text);
  for (const std::string flag : {"--in-place", "--diff", "--check"}) {
    const auto fix = run("fix " + flag + ' ' + file);
    EXPECT_EQ(fix.exit_code, 2) << flag;
    EXPECT_EQ(fix.out, "") << flag;
    EXPECT_TRUE(fix.err.ends_with("a.yaml: the file is not changed, because of the errors above\n"))
        << fix.err;
  }
  EXPECT_EQ(test::read(file), text);
}

TEST_F(Fix, KeepsWhatAnEntryIgnoresByTheTemplateOfAChart) {
  write(".winadmit.yaml", "ignore: [{rule: run-as-user, file: 'web/templates/*'}]\n");
  const std::string file = write("rendered.yaml",
                                 "# Source: web/templates/pod.yaml\napiVersion: v1\nkind: Pod\n"
                                 "spec: {os: {name: windows}, containers: [{name: a, image: a, "
                                 "securityContext: {runAsUser: 1}}]}\n");
  EXPECT_EQ(run("check " + file).exit_code, 0);
  EXPECT_NE(run("fix " + file).out.find("runAsUser: 1"), std::string::npos);
}

TEST_F(Fix, KeepsHardLinks) {
  const std::string file = write("a.yaml", kUnplacedPod);
  fs::create_hard_link(file, folder_ / "b.yaml");
  fs::permissions(file, fs::perms(0640));
  EXPECT_EQ(run("fix --in-place " + file).exit_code, 0);
  EXPECT_EQ(fs::hard_link_count(file), 2);
  EXPECT_NE(test::read(folder_ / "b.yaml"), kUnplacedPod);
  EXPECT_EQ(run("fix --check " + folder_.path().string()).exit_code, 0);
  EXPECT_EQ(fs::status(file).permissions(), fs::perms(0640));
}

TEST_F(Fix, DoesNotOverwriteWhatSomethingElseWroteMeanwhile) {
  std::string pods;
  for (int i = 0; i < 6'000; ++i) pods += std::string(kUnplacedPod) + "---\n";
  const std::string file = write("a.yaml", pods);
  const std::string err = (folder_ / "err").string();
  const int status =
      std::system((test::binary() + " fix --in-place " + file + " 2>" + err +
                   " & for i in $(seq 5000); do ls -l /proc/$!/fd 2>/dev/null | grep -q a.yaml "
                   "&& break; done; sleep 0.1; "  // a first look at the file is short
                   "echo '# saved' >>" +
                   file + "; wait $!")
                      .c_str());
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_NE(test::read(err).find("something else wrote the file meanwhile"), std::string::npos);
  EXPECT_EQ(test::read(file), pods + "# saved\n");
}

TEST_F(Fix, TellsOfChangesOnlyWhenTheyAreMade) {
  // No room for the name of a temporary file beside it.
  const std::string name = write(std::string(250, 'a') + ".yaml", kUnplacedPod);
  const auto failed = run("fix --in-place " + name);
  EXPECT_EQ(failed.exit_code, 2);
  EXPECT_EQ(test::read(name), kUnplacedPod);
  EXPECT_NE(failed.err.find("cannot write " + name), std::string::npos) << failed.err;
  EXPECT_NE(failed.err.find("the file is not changed"), std::string::npos) << failed.err;
  EXPECT_EQ(failed.err.find(": added "), std::string::npos) << failed.err;
  EXPECT_EQ(failed.err.find("the added tolerations"), std::string::npos) << failed.err;
  const std::string broken = write("broken.yaml", std::string(kUnplacedPod) + "\n---\na: [\n");
  for (const char* flag : {"", "--diff ", "--check ", "--in-place "}) {
    EXPECT_EQ(run(std::string("fix ") + flag + broken).err.find(": added "), std::string::npos)
        << flag;
  }
}

TEST_F(Fix, TakesAFileOfCommentsForNoErrorButNothingForOne) {
  const std::string comments = write("comments.yaml", "# later\n---\n");
  const auto alone = run("fix " + comments);
  EXPECT_EQ(alone.exit_code, 0) << alone.err;
  EXPECT_EQ(alone.out, test::read(comments));
  EXPECT_EQ(run("fix --in-place " + comments).exit_code, 0);
  const std::string blank = write("blank.yaml", "\n");
  EXPECT_EQ(run("fix " + blank).err, "winadmit: no objects found in " + blank + '\n');
  EXPECT_EQ(run("fix -", "", comments).exit_code, 2) << "what fills the pipe may have failed";
}

TEST_F(Fix, TakesTimeInProportionToAList) {
  const auto used = [] {
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec) +
           1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
  };
  const auto seconds = [&](const std::string& flag, std::size_t pods) {
    std::string text = "{\"apiVersion\":\"v1\",\"kind\":\"PodList\",\"items\":[";
    for (std::size_t i = 0; i < pods; ++i) {
      text += (i == 0 ? "" : ",");
      text +=
          R"({"metadata":{"name":"a"},"spec":{"os":{"name":"windows"},"tolerations":[],"containers":[{"image":"a"}]}})";
    }
    const std::string file = write("list.json", text + "]}\n");
    const double before = used();
    EXPECT_EQ(run("fix " + flag + " " + file).exit_code, flag == "--check" ? 1 : 0);
    return used() - before;
  };
  // Linear: 8 times as much. It was 40 times when each change searched the list from its begin.
  EXPECT_LT(seconds("--check", 6'000), 16 * seconds("--check", 750));
  // It was 18 times for 4 times as many pods when each edit searched the line from its end.
  EXPECT_LT(seconds("--diff", 6'000), 16 * seconds("--diff", 750));
}

TEST_F(Fix, KeepsAFieldWhoseFindingIsExempt) {
  const std::string pod =
      write("pod.yaml",
            "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: team-a}\n"
            "spec: {os: {name: windows}, securityContext: {fsGroup: 1}, containers: [{name: a, "
            "image: a}]}\n");
  EXPECT_EQ(run("fix " + pod).out.find("fsGroup"), std::string::npos);
  const std::string config =
      write("c.yaml", "exempt: {findings: [{namespace: team-a, rule: fs-group, reason: r}]}\n");
  const auto fixed = run("fix --config " + config + ' ' + pod);
  EXPECT_NE(fixed.out.find("fsGroup: 1"), std::string::npos) << fixed.out;
  EXPECT_NE(fixed.out.find("nodeSelector"), std::string::npos) << fixed.out;
}

TEST_F(Fix, IsNotToldWhatToDoByTheEnvironment) {
  const std::string file = write("pod.yaml", kUnplacedPod);
  const auto fixed = run("fix " + file);
  const auto same =
      run("fix " + file,
          "WINADMIT_IN_PLACE=true WINADMIT_CHECK=true WINADMIT_EXCLUDE='*' WINADMIT_SET_OS=true");
  EXPECT_EQ(same.out, fixed.out);
  EXPECT_EQ(test::read(file), kUnplacedPod);
}

TEST_F(Fix, DoesNotWriteStandardInputInPlace) {
  const auto result = run("fix -f - --in-place", "printf '' |");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("standard input cannot be written in place"), std::string::npos)
      << result.err;
}

TEST_F(Fix, BlamesTheConfigurationThatIsWrongAndNoProject) {
  write(".winadmit.yaml", "policy: {platform: aks}\n");
  const std::string wrong = write("wrong.yaml", "foo: 1\n");
  const auto fix =
      run("fix --config " + wrong + ' ' + write("pod.yaml", "{apiVersion: v1, kind: Pod}\n"));
  EXPECT_EQ(fix.exit_code, 2);
  EXPECT_TRUE(fix.err.starts_with("winadmit: " + wrong + ":1: unknown key 'foo'")) << fix.err;
}

TEST_F(Fix, SaysThatTemplatesOfOtherProjectsStay) {
  write(".winadmit.yaml",
        "templates: [{group: argoproj.io, kind: Rollout, path: spec.template}]\n");
  const auto fix = [&](const std::string& os, const std::string& more) {
    return run("fix " + write("rollout.yaml",
                              "apiVersion: argoproj.io/v1alpha1\nkind: Rollout\n"
                              "metadata: {name: web}\nspec: {template: {spec: {os: {name: " +
                                  os + "}" + more + "}}}\n"));
  };
  for (const std::string more : {", containers: [{image: a}]", ", repository: a/b"}) {
    EXPECT_NE(fix("windows", more).err.find("rollout.yaml:1:1: Rollout web is not changed: "),
              std::string::npos);
    EXPECT_EQ(fix("linux", more).err, "");
  }
}

}  // namespace
}  // namespace winadmit
