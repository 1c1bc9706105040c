// What `winadmit check` and `winadmit fix` do with the manifests in tests/data/check and .../fix;
// see the READMEs there.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/cli/binary.hpp"
#include "tests/test_data.hpp"

namespace winadmit {
namespace {

namespace fs = std::filesystem;

/// check/pods.yaml, fix/placed.yaml ...: the folder is the subcommand.
std::vector<std::string> cases() {
  std::vector<std::string> names;
  for (const char* command : {"check", "fix"}) {
    for (const auto& entry : fs::directory_iterator(test::data(command))) {
      const fs::path& file = entry.path();
      if (file.extension() != ".yaml" && file.extension() != ".json") continue;
      names.push_back(fs::path(command) / file.filename());
    }
  }
  std::ranges::sort(names);
  return names;
}

class ManifestFile : public test::Binary, public testing::WithParamInterface<std::string> {};

TEST_P(ManifestFile, IsSaidAndMadeOfWhatIsExpected) {
  const fs::path file = test::data(GetParam());
  const std::string command = file.parent_path().filename();
  const std::string text = test::read(file);
  const std::string mark = "# " + command + ' ';
  std::string flags;
  if (text.starts_with(mark)) flags = text.substr(mark.size(), text.find('\n') - mark.size());
  const auto said = run(command + ' ' + flags + " -f " + file.filename().string(),
                        "cd " + file.parent_path().string() + " &&");
  EXPECT_EQ("exit " + std::to_string(said.exit_code) + '\n' + said.out + "---\n" + said.err,
            test::read(file.string() + ".expected"));
}

INSTANTIATE_TEST_SUITE_P(Files, ManifestFile, testing::ValuesIn(cases()), [](const auto& each) {
  std::string name = each.param;
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

class Check : public test::Binary {
 protected:
  static constexpr const char* kBad =
      "{apiVersion: v1, kind: Pod, metadata: {name: bad}, spec: {os: {name: windows}, hostPID: "
      "true}}\n";
  static constexpr const char* kGood = "{apiVersion: v1, kind: Namespace, metadata: {name: n}}\n";
};

TEST_F(Check, ReadsAFolderAsKubectlDoesAndThoseInItIfToldTo) {
  fs::create_directory(root_ / "in");
  write("b.yml", kGood);
  write("a.yaml", kGood);
  write("c.json", R"({"apiVersion": "v1", "kind": "Namespace"})");
  write("notes.txt", "no manifest");
  write("in/d.yaml", kBad);
  const auto folder_alone = run("check -f " + root_.string());
  EXPECT_EQ(folder_alone.exit_code, 0) << folder_alone.err;
  EXPECT_TRUE(folder_alone.err.starts_with("3 objects: 0 refused")) << folder_alone.err;
  const auto all = run("check -R -f " + root_.string());
  EXPECT_EQ(all.exit_code, 1);
  EXPECT_TRUE(all.err.starts_with("4 objects: 1 refused")) << all.err;
}

TEST_F(Check, TakesSeveralNamesAndStandardInput) {
  const std::string good = write("good.yaml", kGood), bad = write("bad.yaml", kBad);
  EXPECT_EQ(run("check " + good + ' ' + bad).exit_code, 1);
  EXPECT_EQ(run("check -f " + good + " -f " + bad).exit_code, 1);
  const auto piped = run("check -f -", "", bad);
  EXPECT_EQ(piped.exit_code, 1);
  EXPECT_TRUE(piped.out.starts_with("<stdin>:1:80: error: Pod bad: ")) << piped.out;
  EXPECT_EQ(run("check -").exit_code, 2) << "standard input is empty";
}

TEST_F(Check, SaysWhatIsNotThereAndChecksTheRest) {
  const std::string bad = write("bad.yaml", kBad);
  fs::create_directory(root_ / "empty");
  const auto said = run("check " + bad + " nowhere.yaml " + (root_ / "empty").string());
  EXPECT_EQ(said.exit_code, 2);
  EXPECT_NE(said.out.find("host-pid"), std::string::npos);
  EXPECT_NE(said.err.find("nowhere.yaml: cannot be read"), std::string::npos);
  EXPECT_NE(said.err.find("empty: no .yaml, .yml or .json file in it"), std::string::npos);
  EXPECT_EQ(run("check").exit_code, 2);
  EXPECT_EQ(run("check --default-os beos " + bad).exit_code, 2);
}

TEST_F(Check, FollowsTheConfiguration) {
  const std::string bad = write("bad.yaml", kBad);
  const std::string lenient = write("lenient.yaml", "rules: {host-pid: warn}\n");
  const auto said = run("check --config " + lenient + ' ' + bad);
  EXPECT_EQ(said.exit_code, 0);
  EXPECT_NE(said.out.find(": warning: Pod bad: spec.hostPID: "), std::string::npos) << said.out;
}

TEST_F(Check, RefusesWhatNestsOrUnfoldsWithoutEnd) {
  const std::string deep(5000, '[');
  for (const std::string& text :
       {deep + std::string(5000, ']'), "{\"a\": " + deep, std::string("a: &a [*a]\n"),
        std::string("a: &a {<<: *a}\n"),
        std::string("a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"
                    "c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\n"
                    "e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\n"
                    "g: [*f,*f,*f,*f,*f,*f,*f,*f,*f,*f]\n")}) {
    const auto said = run("check " + write("endless.yaml", text));
    EXPECT_EQ(said.exit_code, 2) << text.substr(0, 20);
    EXPECT_NE(said.err.find("endless.yaml"), std::string::npos) << said.err;
  }
}

class Fix : public Check {};

TEST_F(Fix, IsDoneTheSecondTime) {
  for (const auto& entry : fs::directory_iterator(test::data("fix"))) {
    if (entry.path().extension() != ".yaml") continue;
    const auto once = run("fix " + entry.path().string());
    if (once.exit_code == 2) continue;
    const auto twice = run("fix " + write("once.yaml", once.out));
    EXPECT_EQ(twice.out, once.out) << entry.path();
    EXPECT_EQ(twice.exit_code, once.exit_code) << entry.path();
  }
}

TEST_F(Fix, LeavesWhatCheckRefuses) {
  for (const auto& entry : fs::directory_iterator(test::data("check"))) {
    if (entry.path().extension() != ".yaml") continue;
    const auto fixed = run("fix " + entry.path().string());
    if (fixed.exit_code == 2) continue;
    EXPECT_EQ(run("check " + write("fixed.yaml", fixed.out)).exit_code, fixed.exit_code)
        << entry.path();
  }
}

}  // namespace
}  // namespace winadmit
