// `winadmit fix` on the manifests in tests/data.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <filesystem>

#include "tests/cli/binary.hpp"
#include "tests/test_data.hpp"

namespace winadmit {
namespace {

namespace fs = std::filesystem;

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

constexpr const char* kUnplaced =
    "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {os: {name: windows}, "
    "containers: [{image: a}]}}\n";

TEST_F(Fix, MakesNamesOfFilesPrintable) {
  const std::string file = write("a\n::error::b.yaml", kUnplaced);
  const auto check = run("fix --check '" + file + '\'');
  EXPECT_EQ(check.exit_code, 1);
  EXPECT_TRUE(check.out.ends_with("/a\\n::error::b.yaml\n")) << check.out;
  const auto diff = run("fix --diff '" + file + '\'');
  EXPECT_EQ(diff.out.find("\n::error::"), std::string::npos) << diff.out;
}

TEST_F(Fix, EditsAFileWithSeveralNamesOnce) {
  const std::string file = write("b.yaml", kUnplaced);
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
  EXPECT_NE(test::read(file), kUnplaced);
}

TEST_F(Fix, SaysThatAFileStaysBecauseAPartCannotBeRead) {
  const std::string text = std::string(kUnplaced) + "---\n[\n";
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

TEST_F(Fix, PrintsADiffOfStandardInput) {
  const auto diff = run("fix --diff -", "", write("a.yaml", kUnplaced));
  EXPECT_TRUE(diff.out.starts_with("--- a/<stdin>\n")) << diff.out << diff.err;
}

TEST_F(Fix, NamesTheFilesOfAStream) {
  const std::string pod = "apiVersion: v1\nkind: Pod\nspec: {os: {name: linux}}\n";
  const std::string a = write("a.yaml", pod), b = write("b\nc.yaml", "---\n" + pod);
  const std::string service = write("d.json", R"({"apiVersion":"v1","kind":"Service"})");
  write("values.yaml", "replicas: 1\n");
  const std::string expected = "# Source: " + a + '\n' + pod +
                               "---\n# Source: " + folder_.path().string() + "/b\\nc.yaml\n" + pod +
                               "---\n# Source: " + service + '\n' + test::read(service);
  const auto folder = run("fix " + folder_.path().string());
  EXPECT_EQ(folder.exit_code, 0) << folder.err;
  EXPECT_EQ(folder.out, expected);
  EXPECT_EQ(run("fix -f " + a + " -f '" + b + "' -f " + service).out, expected);
  EXPECT_EQ(run("check -", "", write("stream.yaml", expected)).exit_code, 0);
  EXPECT_EQ(run("fix " + a).out, pod) << "a single file stays byte for byte";
  const auto first = run("fix -f '" + b + "' -f " + a);
  EXPECT_TRUE(first.out.starts_with("---\n# Source: ")) << first.out;
}

TEST_F(Fix, KeepsWhatAnEntryIgnoresByTheTemplateOfAChart) {
  write(".winadmit.yaml", "ignore: [{rule: ctr-run-as-user, file: 'web/templates/*'}]\n");
  const std::string file = write("rendered.yaml",
                                 "# Source: web/templates/pod.yaml\napiVersion: v1\nkind: Pod\n"
                                 "spec: {os: {name: windows}, containers: [{name: a, image: a, "
                                 "securityContext: {runAsUser: 1}}]}\n");
  EXPECT_EQ(run("check " + file).exit_code, 0);
  EXPECT_NE(run("fix " + file).out.find("runAsUser: 1"), std::string::npos);
}

TEST_F(Fix, WritesJsonInAStreamSoThatYamlReadsTheSame) {
  const std::string value = R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"a"}})";
  const std::string plain = write("a.json", value);
  const std::string values = write("b.json", value + value + "\n" + value);
  const std::string tabs =
      write("c.json", "{\n\t\"apiVersion\": \"v1\",\n\t\"kind\": \"Pod\", " +
                          std::string(R"("metadata": {"name": "\ud83d\ude00"},)") +
                          R"("spec": {"os": {"name": "windows"}, "nodeSelector": {},)" +
                          R"("containers": [{"name": "a", "image": "a"}]}})");
  const std::string both = write("d.json", value + "\n---\napiVersion: v1\nkind: Service\n");
  const auto fix = run("fix --default-os linux " + folder_.path().string());
  EXPECT_EQ(fix.exit_code, 0) << fix.err;
  EXPECT_TRUE(fix.out.starts_with("# Source: " + plain + '\n' + value + "\n---\n# Source: " +
                                  values + '\n' + value + "\n---\n" + value + "\n---\n" + value +
                                  "\n---\n# Source: " + tabs + "\napiVersion: v1\nkind: Pod\n"))
      << fix.out;
  EXPECT_TRUE(fix.out.ends_with("---\n# Source: " + both + '\n' + test::read(both))) << fix.out;
  EXPECT_NE(fix.out.find(R"(name: "\U0001F600")"), std::string::npos) << fix.out;
  EXPECT_NE(fix.out.find("nodeSelector:\n    kubernetes.io/os: windows\n"), std::string::npos)
      << fix.out;
  const auto check = run("check -o json -", "", write("stream.yaml", fix.out));
  EXPECT_EQ(check.exit_code, 0) << check.err;
  EXPECT_NE(check.out.find("\"objects\": 7"), std::string::npos) << check.out;
  EXPECT_EQ(run("fix " + values).out, test::read(values)) << "a single file stays byte for byte";
}

TEST_F(Fix, KeepsHardLinks) {
  const std::string file = write("a.yaml", kUnplaced);
  fs::create_hard_link(file, folder_ / "b.yaml");
  fs::permissions(file, fs::perms(0640));
  EXPECT_EQ(run("fix --in-place " + file).exit_code, 0);
  EXPECT_EQ(fs::hard_link_count(file), 2);
  EXPECT_NE(test::read(folder_ / "b.yaml"), kUnplaced);
  EXPECT_EQ(run("fix --check " + folder_.path().string()).exit_code, 0);
  EXPECT_EQ(fs::status(file).permissions(), fs::perms(0640));
}

TEST_F(Fix, DoesNotOverwriteWhatSomethingElseWroteMeanwhile) {
  std::string pods;
  for (int i = 0; i < 3'000; ++i) pods += std::string(kUnplaced) + "---\n";
  const std::string file = write("a.yaml", pods);
  // fix has read a part of the file when its messages fill the pipe.
  const auto saved =
      run("fix --in-place " + file + " 2>&1; echo exit $?; } | { read -r line; echo '# saved' >>" +
              file + "; cat; }",
          "{", "/dev/stdin");
  EXPECT_NE(saved.out.find("something else wrote the file meanwhile"), std::string::npos);
  EXPECT_TRUE(saved.out.ends_with("\nexit 2\n"));
  EXPECT_EQ(test::read(file), pods + "# saved\n");
}

TEST_F(Fix, NamesTheOnlyFileOfAFolder) {
  write("values.yaml", "replicas: 1\n");
  const std::string file = write("pod.yaml", kUnplaced);
  const auto fix = run("fix " + folder_.path().string());
  EXPECT_TRUE(fix.out.starts_with("# Source: " + file + "\n{apiVersion")) << fix.out;
  fs::remove(file);
  const auto none = run("fix " + folder_.path().string());
  EXPECT_EQ(none.exit_code, 0) << none.err;
  EXPECT_EQ(none.out, "");
}

TEST_F(Fix, WritesAPatchOfAFolderThatGitApplies) {
  if (std::system("git --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no git";
  const std::vector<std::string> names = {"plain.yaml",  "a b.yaml",     "tab\t.yaml",
                                          "line\n.yaml", "quote\".yaml", "back\\slash.yaml",
                                          "\u00FC.yaml", "-dash.yaml"};
  for (const std::string& name : names) write(name, kUnplaced);
  fs::create_symlink("plain.yaml", folder_ / "a-link.yaml");
  const std::string in_folder = "cd " + folder_.path().string() + " &&";
  const auto patch = run("fix --diff .", in_folder);
  EXPECT_EQ(patch.exit_code, 0) << patch.err;
  write("patch", patch.out);
  EXPECT_EQ(std::system((in_folder + " git apply patch").c_str()), 0) << patch.out;
  for (const std::string& name : names)
    EXPECT_NE(test::read(folder_ / name).find("tolerations"), std::string::npos) << name;
  EXPECT_EQ(run("fix --check .", in_folder).exit_code, 0);
}

TEST_F(Fix, DropsTheByteOrderMarksInAStream) {
  const std::string marked = write("a.yaml", std::string("\xEF\xBB\xBF") + kUnplaced);
  const std::string other = write("b.yaml", test::read(marked));
  const std::string stream = write("stream.yaml", run("fix " + marked + ' ' + other).out);
  EXPECT_EQ(run("check -", "", stream).exit_code, 0);
  EXPECT_EQ(test::read(stream).find('\xEF'), std::string::npos);
  EXPECT_TRUE(run("fix " + marked).out.starts_with("\xEF\xBB\xBF")) << "a single file stays";
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
  EXPECT_LT(seconds("--check", 24'000), 20 * seconds("--check", 3'000));
  // It was 18 times for 4 times as many pods when each edit searched the line from its end.
  EXPECT_LT(seconds("--diff", 24'000), 20 * seconds("--diff", 3'000));
}

TEST_F(Fix, SkipsExcludedFiles) {
  const std::string file = write("vendored.yaml", kUnplaced);
  EXPECT_EQ(run("fix --check " + file).exit_code, 1);
  EXPECT_EQ(run("fix --check --exclude vendored.yaml " + file).exit_code, 0);
  EXPECT_EQ(run("fix --check " + file, "WINADMIT_EXCLUDE=vendored.yaml").exit_code, 0);
  EXPECT_EQ(run("fix --exclude vendored.yaml " + file).out, kUnplaced) << "somebody uses the text";
  const std::string other = write("other.yaml", kUnplaced);
  const auto both = run("fix --exclude vendored.yaml " + file + ' ' + other);
  EXPECT_EQ(both.out, run("fix " + other).out);
  EXPECT_TRUE(both.err.starts_with(file + ": is excluded and not printed\n")) << both.err;
  EXPECT_EQ(run("fix --exclude none.yaml " + (folder_ / "none.yaml").string()).exit_code, 2);
  write(".winadmit.yaml", "exclude: [vendored.yaml]\n");
  const auto fix = run("fix --in-place " + file);
  EXPECT_EQ(fix.exit_code, 0) << fix.err;
  EXPECT_EQ(test::read(file), kUnplaced);
}

TEST_F(Fix, PrintsTheTextOfAnEditorUnchangedIfItIsSkipped) {
  write("buffer", kUnplaced);
  write("values", "a:   1 # the values\n");
  const auto fix_as = [&](const std::string& name, const std::string& text) {
    return run("fix --skip-others --stdin-filename " + (folder_ / name).string() + " -", "",
               (folder_ / text).string());
  };
  const auto fixed = fix_as("a.yaml", "buffer");
  EXPECT_NE(fixed.out, kUnplaced);
  EXPECT_NE(fixed.err.find("a.yaml:"), std::string::npos) << fixed.err;
  EXPECT_EQ(fix_as("values.yaml", "values").out, "a:   1 # the values\n");
  const std::string both = (folder_ / "buffer").string() + ' ' + (folder_ / "values").string();
  EXPECT_EQ(run("fix --skip-others " + both).out.find("the values"), std::string::npos)
      << "somebody applies the stream";
  write(".winadmit.yaml", "exclude: [vendored.yaml]\n");
  EXPECT_EQ(fix_as("vendored.yaml", "buffer").out, kUnplaced);
  std::filesystem::create_directories(folder_ / "chart/templates");
  write("chart/Chart.yaml", "name: chart\n");
  EXPECT_EQ(fix_as("chart/templates/a.yaml", "buffer").out, kUnplaced);
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
