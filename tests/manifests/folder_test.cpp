#include "manifests/folder.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "tests/temporary_folder.hpp"

namespace winadmit::manifests {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

class Folder : public testing::Test {
 protected:
  Lines names(bool recursive) {
    const std::string root = folder_.path().string();
    errors_.clear();
    charts_.clear();
    Lines files = find_manifest_files(
        root, recursive,
        {.error =
             [&](const std::string& path, const std::string& what) {
               EXPECT_NE(what.find(path), std::string::npos) << what;
               errors_.push_back(what);
             },
         .chart_templates = [&](const std::string& folder) { charts_.push_back(folder); }});
    for (Lines* each : {&files, &charts_}) {
      for (std::string& name : *each) name.erase(0, root.size() + 1);
    }
    return files;
  }

  const test::TemporaryFolder folder_;
  Lines errors_;
  Lines charts_;
};

TEST_F(Folder, HasItsFilesByExtension) {
  fs::create_directory(folder_ / "in");
  for (const char* name :
       {"b.yml", "a.yaml", "c.json", "d.txt", "in/e.yaml", "f.YAML", "g.yaml.bak", "yaml"})
    folder_.write(name, "");
  fs::create_directory(folder_ / "folder.yaml");
  EXPECT_EQ(names(false), (Lines{"a.yaml", "b.yml", "c.json"}));
  EXPECT_EQ(names(true), (Lines{"a.yaml", "b.yml", "c.json", "in/e.yaml"}));
  EXPECT_TRUE(errors_.empty());
}

/// As Go's filepath.Ext, by which kubectl chooses.
TEST_F(Folder, HasFilesWhoseNameIsAnExtension) {
  fs::create_directory(folder_ / ".in");
  for (const char* name : {".yaml", ".yml", ".json", ".a.yaml", ".in/.yaml", ".txt"})
    folder_.write(name, "");
  EXPECT_EQ(names(true), (Lines{".a.yaml", ".in/.yaml", ".json", ".yaml", ".yml"}));
}

TEST_F(Folder, LeavesOutTheTemplatesOfHelmCharts) {
  for (const char* name :
       {"a", "a/templates", "a/charts", "a/charts/b", "a/charts/b/templates", "c", "c/templates"})
    fs::create_directory(folder_ / name);
  for (const char* name : {"a/Chart.yaml", "a/templates/x.yaml", "a/charts/b/Chart.yaml",
                           "a/charts/b/templates/y.yaml", "c/templates/z.yaml"})
    folder_.write(name, "");
  EXPECT_EQ(names(true), (Lines{"a/Chart.yaml", "a/charts/b/Chart.yaml", "c/templates/z.yaml"}));
  std::ranges::sort(charts_);
  EXPECT_EQ(charts_, (Lines{"a/charts/b/templates", "a/templates"}));
}

TEST_F(Folder, WithoutManifestsIsAnError) {
  folder_.write("d.txt", "");
  EXPECT_TRUE(names(true).empty());
  EXPECT_EQ(errors_, Lines{folder_.path().string() + ": contains no .yaml, .yml or .json file"});
}

TEST_F(Folder, WithManifestsInOtherFoldersNamesTheFlag) {
  fs::create_directory(folder_ / "in");
  folder_.write("in/a.yaml", "");
  EXPECT_TRUE(names(false).empty());
  EXPECT_EQ(errors_,
            Lines{folder_.path().string() +
                  ": contains no .yaml, .yml or .json file; -R also reads the folders in it"});
}

TEST_F(Folder, SurvivesLinksThatLeadNowhereOrInCircles) {
  folder_.write("a.yaml", "");
  fs::create_symlink(folder_ / "a.yaml", folder_ / "link.yaml");
  fs::create_directory(folder_ / "in");
  fs::create_directory_symlink(folder_.path(), folder_ / "in" / "up");
  fs::create_symlink("loop.yaml", folder_ / "loop.yaml");
  fs::create_symlink("nowhere", folder_ / "z.yaml");
  EXPECT_EQ(names(true), (Lines{"a.yaml", "link.yaml"}));
  ASSERT_EQ(errors_.size(), 2U);
  for (const std::string& line : errors_)
    EXPECT_TRUE(line.starts_with("cannot read " + folder_.path().string())) << line;
}

TEST_F(Folder, TakesPipesAndDevicesForErrorsAlsoBehindLinks) {
  folder_.write("a.yaml", "");
  fs::create_directory(folder_ / "in");
  ASSERT_EQ(mkfifo((folder_ / "pipe.yaml").c_str(), 0600), 0);
  fs::create_symlink("/dev/zero", folder_ / "device.yaml");
  fs::create_symlink("pipe.yaml", folder_ / "link.yaml");
  fs::create_directory_symlink("in", folder_ / "folder.yaml");
  EXPECT_EQ(names(true), Lines{"a.yaml"});
  EXPECT_EQ(errors_.size(), 4U);
  for (const std::string& line : errors_)
    EXPECT_TRUE(line.ends_with(".yaml: is not a regular file")) << line;
}

TEST_F(Folder, GoesOnBehindAFolderThatCannotBeRead) {
  if (geteuid() == 0) GTEST_SKIP() << "root reads everything";
  folder_.write("z.yaml", "");
  fs::create_directory(folder_ / "closed");
  fs::permissions(folder_ / "closed", fs::perms::none);
  EXPECT_EQ(names(true), Lines{"z.yaml"});
  fs::permissions(folder_ / "closed", fs::perms::owner_all);
  EXPECT_EQ(errors_, Lines{"cannot read " + (folder_ / "closed").string() + ": Permission denied"});
}

}  // namespace
}  // namespace winadmit::manifests
