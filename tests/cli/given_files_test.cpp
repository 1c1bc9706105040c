// The files that `winadmit check` and `winadmit fix` are given: named ones, folders, and standard
// input under a name.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/check_in_folder.hpp"

namespace winadmit {
namespace {

class GivenFiles : public test::CheckInFolder {
 protected:
  test::Result in(const std::string& folder, const std::string& arguments,
                  const std::string& input = "/dev/null") const {
    return run(arguments, "cd " + (folder_ / folder).string() + " &&", input);
  }
};

TEST_F(GivenFiles, CheckNamesStandardInputAlone) {
  write("a.yaml", pod("a"));
  write("buffer", pod("b"));
  const auto both = in(".", "check -q --stdin-filename new.yaml a.yaml -", "buffer");
  EXPECT_TRUE(both.out.starts_with("a.yaml:")) << both.out;
  EXPECT_NE(both.out.find("\nnew.yaml:"), std::string::npos) << both.out;
  EXPECT_EQ(in(".", "check -q --exclude '*' -", "buffer").exit_code, 1) << "it has no name";
  write("comments", "# no object\n");
  EXPECT_EQ(in(".", "check -", "comments").exit_code, 2);
  EXPECT_EQ(in(".", "check --stdin-filename a.yaml -", "comments").exit_code, 0) << "as the file";
  write("-", pod("a"));
  EXPECT_NE(in(".", "check -q - ./-", "buffer").out.find("Pod a"), std::string::npos)
      << "another file";
  std::filesystem::remove(folder_ / "-");
  std::filesystem::create_directory(folder_ / "-");
  EXPECT_EQ(in(".", "check -q -", "buffer").exit_code, 1) << "no folder";
}

TEST_F(GivenFiles, CheckNamesTheFileOrFolderOfAnErrorWithoutALine) {
  std::filesystem::create_directory(folder_ / "empty");
  for (const std::string named : {"--stdin-filename ./empty -", "./empty"}) {
    const auto checked = check("-o sarif " + named);
    EXPECT_EQ(checked.exit_code, 2);
    const auto log = nlohmann::json::parse(checked.out);
    const auto& error =
        log.at("runs").at(0).at("invocations").at(0).at("toolExecutionNotifications").at(0);
    EXPECT_EQ(error.value(nlohmann::json::json_pointer(
                              "/locations/0/physicalLocation/artifactLocation/uri"),
                          std::string()),
              "empty")
        << error;
  }
  EXPECT_EQ(check("--stdin-filename ./a.yaml -").err.substr(0, 37),
            "winadmit: no objects found in a.yaml\n");
  const auto missing = check("none.yaml other.yaml");
  for (const char* file : {"none.yaml", "other.yaml"})
    EXPECT_NE(missing.err.find(file), std::string::npos) << missing.err;
}

TEST_F(GivenFiles, CheckSkipsTheTemplatesOfAChartByTheirFolder) {
  std::filesystem::create_directories(folder_ / "chart/templates");
  std::filesystem::create_directories(folder_ / "templates");
  for (const char* file :
       {"chart/pod.yaml", "chart/templates/a.yaml", "chart/templates/b.yaml", "templates/a.yaml"})
    write(file, pod("a"));
  write("chart/Chart.yaml", "name: chart\n");
  const auto charts = [&](const std::string& folder, const std::string& files) {
    return nlohmann::json::parse(in(folder, "check -o json " + files).out)["skippedCharts"].dump();
  };
  EXPECT_EQ(charts(".", "--skip-others chart/templates/a.yaml chart/templates/b.yaml"),
            R"(["chart/templates"])");
  EXPECT_EQ(charts(".", "-R ./chart"), R"(["chart/templates"])");
  EXPECT_EQ(charts("chart/templates", "--skip-others a.yaml"), R"(["."])");
  EXPECT_EQ(charts("chart/templates", "--skip-others ../pod.yaml"), "[]");
  EXPECT_EQ(charts(".", "--skip-others templates/a.yaml"), "[]") << "of no chart";
  EXPECT_EQ(check("chart/templates/a.yaml").exit_code, 1) << "it is named";
}

TEST_F(GivenFiles, CheckTakesAValuesFileForAnErrorBehindAFolderToo) {
  std::filesystem::create_directory(folder_ / "in");
  for (const char* file : {"in/values.yaml", "values.yaml"}) write(file, "a: 1\n");
  EXPECT_EQ(check("in values.yaml").exit_code, 2);
}

TEST_F(GivenFiles, FixTreatsStandardInputAsTheFileThatItIsTheTextOf) {
  std::filesystem::create_directory(folder_ / "inner");
  write("buffer", pod("a"));
  write("inner/.winadmit.yaml", "ignore: [{rule: host-pid, file: 'n*'}]\n");
  EXPECT_EQ(in(".", "fix --stdin-filename inner/new.yaml -", "buffer").exit_code, 0);
  EXPECT_EQ(in(".", "fix --stdin-filename inner/other.yaml -", "buffer").exit_code, 1);
  EXPECT_EQ(in(".", "fix --stdin-filename a.yaml buffer").exit_code, 2) << "no standard input";
  write(".winadmit.yaml", "ignore: 1\n");
  const auto broken = in(".", "fix --stdin-filename a.yaml -", "buffer");
  EXPECT_EQ(broken.exit_code, 2);
  EXPECT_EQ(broken.out, "");
}

}  // namespace
}  // namespace winadmit
