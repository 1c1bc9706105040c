// What `winadmit fix` prints: texts, streams of several files, and patches.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/cli/binary.hpp"
#include "tests/cli/unplaced_pod.hpp"
#include "tests/test_data.hpp"

namespace winadmit {
namespace {

namespace fs = std::filesystem;
using test::kUnplacedPod;

class FixOutput : public test::Binary {};

TEST_F(FixOutput, PrintsADiffOfStandardInput) {
  const auto diff = run("fix --diff -", "", write("a.yaml", kUnplacedPod));
  EXPECT_TRUE(diff.out.starts_with("--- a/<stdin>\n")) << diff.out << diff.err;
}

TEST_F(FixOutput, NamesTheFilesOfAStream) {
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

TEST_F(FixOutput, WritesJsonInAStreamSoThatYamlReadsTheSame) {
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

TEST_F(FixOutput, NamesTheOnlyFileOfAFolder) {
  write("values.yaml", "replicas: 1\n");
  const std::string file = write("pod.yaml", kUnplacedPod);
  const auto fix = run("fix " + folder_.path().string());
  EXPECT_TRUE(fix.out.starts_with("# Source: " + file + "\n{apiVersion")) << fix.out;
  fs::remove(file);
  const auto none = run("fix " + folder_.path().string());
  EXPECT_EQ(none.exit_code, 0) << none.err;
  EXPECT_EQ(none.out, "");
}

TEST_F(FixOutput, WritesAPatchOfAFolderThatGitApplies) {
  if (std::system("git --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no git";
  const std::vector<std::string> names = {"plain.yaml",  "a b.yaml",     "tab\t.yaml",
                                          "line\n.yaml", "quote\".yaml", "back\\slash.yaml",
                                          "\u00FC.yaml", "-dash.yaml"};
  for (const std::string& name : names) write(name, kUnplacedPod);
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

TEST_F(FixOutput, NamesAFileAboveTheWorkingDirectoryAsItWasGiven) {
  write("a.yaml", kUnplacedPod);
  const auto diff = run("fix --diff ../a.yaml",
                        "cd " + folder_.path().string() + " && mkdir -p below && cd below &&");
  EXPECT_TRUE(diff.out.starts_with("--- a/../a.yaml\n")) << diff.out << diff.err;
  write("below/b.yaml", kUnplacedPod);
  const auto below =
      run("fix --diff ../below/b.yaml", "cd " + (folder_ / "below").string() + " &&");
  EXPECT_TRUE(below.out.starts_with("--- a/b.yaml\n")) << "git applies it: " << below.out;
}

TEST_F(FixOutput, DropsTheByteOrderMarksInAStream) {
  const std::string marked = write("a.yaml", std::string("\xEF\xBB\xBF") + kUnplacedPod);
  const std::string other = write("b.yaml", test::read(marked));
  const std::string stream = write("stream.yaml", run("fix " + marked + ' ' + other).out);
  EXPECT_EQ(run("check -", "", stream).exit_code, 0);
  EXPECT_EQ(test::read(stream).find('\xEF'), std::string::npos);
  EXPECT_TRUE(run("fix " + marked).out.starts_with("\xEF\xBB\xBF")) << "a single file stays";
}

TEST_F(FixOutput, SkipsExcludedFiles) {
  const std::string file = write("vendored.yaml", kUnplacedPod);
  EXPECT_EQ(run("fix --check " + file).exit_code, 1);
  EXPECT_EQ(run("fix --check --exclude vendored.yaml " + file).exit_code, 0);
  EXPECT_EQ(run("fix --exclude vendored.yaml " + file).out, kUnplacedPod)
      << "somebody uses the text";
  const std::string other = write("other.yaml", kUnplacedPod);
  const auto both = run("fix --exclude vendored.yaml " + file + ' ' + other);
  EXPECT_EQ(both.out, run("fix " + other).out);
  EXPECT_TRUE(both.err.starts_with(file + ": is excluded and not printed\n")) << both.err;
  EXPECT_EQ(run("fix --exclude none.yaml " + (folder_ / "none.yaml").string()).exit_code, 2);
  write(".winadmit.yaml", "exclude: [vendored.yaml]\n");
  const auto fix = run("fix --in-place " + file);
  EXPECT_EQ(fix.exit_code, 0) << fix.err;
  EXPECT_EQ(test::read(file), kUnplacedPod);
}

TEST_F(FixOutput, PrintsTheTextOfAnEditorUnchangedIfItIsSkipped) {
  write("buffer", kUnplacedPod);
  write("values", "a:   1 # the values\n");
  const auto fix_as = [&](const std::string& name, const std::string& text) {
    return run("fix --skip-others --stdin-filename " + (folder_ / name).string() + " -", "",
               (folder_ / text).string());
  };
  const auto fixed = fix_as("a.yaml", "buffer");
  EXPECT_NE(fixed.out, kUnplacedPod);
  EXPECT_NE(fixed.err.find("a.yaml:"), std::string::npos) << fixed.err;
  EXPECT_EQ(fix_as("values.yaml", "values").out, "a:   1 # the values\n");
  const std::string both = (folder_ / "buffer").string() + ' ' + (folder_ / "values").string();
  EXPECT_EQ(run("fix --skip-others " + both).out.find("the values"), std::string::npos)
      << "somebody applies the stream";
  write(".winadmit.yaml", "exclude: [vendored.yaml]\n");
  EXPECT_EQ(fix_as("vendored.yaml", "buffer").out, kUnplacedPod);
  std::filesystem::create_directories(folder_ / "chart/templates");
  write("chart/Chart.yaml", "name: chart\n");
  EXPECT_EQ(fix_as("chart/templates/a.yaml", "buffer").out, kUnplacedPod);
}

}  // namespace
}  // namespace winadmit
