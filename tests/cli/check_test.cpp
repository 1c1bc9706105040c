// `winadmit check` on files, folders and standard input.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/cli/binary.hpp"

namespace winadmit {
namespace {

namespace fs = std::filesystem;

class Check : public test::Binary {
 protected:
  static constexpr const char* kBad =
      "{apiVersion: v1, kind: Pod, metadata: {name: bad}, spec: {os: {name: windows}, hostPID: "
      "true}}\n";
  static constexpr const char* kGood = "{apiVersion: v1, kind: Namespace, metadata: {name: n}}\n";
};

TEST_F(Check, ReadsAFolderAndWithRecursiveTheFoldersInIt) {
  fs::create_directory(folder_ / "in");
  write("b.yml", kGood);
  write("a.yaml", kGood);
  write("c.json", R"({"apiVersion": "v1", "kind": "Namespace"})");
  write("notes.txt", "no manifest");
  write("in/d.yaml", kBad);
  const auto folder_alone = run("check -f " + folder_.path().string());
  EXPECT_EQ(folder_alone.exit_code, 0) << folder_alone.err;
  EXPECT_TRUE(folder_alone.err.starts_with("3 objects: 0 refused")) << folder_alone.err;
  const auto all = run("check -R -f " + folder_.path().string());
  EXPECT_EQ(all.exit_code, 1);
  EXPECT_TRUE(all.err.starts_with("4 objects: 1 refused")) << all.err;
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

TEST_F(Check, FollowsTheConfiguration) {
  const std::string bad = write("bad.yaml", kBad);
  const std::string lenient = write("lenient.yaml", "rules: {host-pid: warn}\n");
  const auto result = run("check --config " + lenient + ' ' + bad);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.out.find(": warning: Pod bad: spec.hostPID: "), std::string::npos) << result.out;
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
