#include "manifests/manifest.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/temporary_folder.hpp"

namespace winadmit::manifests {
namespace {

struct Manifests {
  std::vector<Manifest> manifests;
  std::vector<std::string> errors;
};

Manifests read_file(const std::string& file) {
  Manifests read;
  read_manifests(file, {.object = [&](const Manifest& each) { read.manifests.push_back(each); },
                        .error = [&](const std::string& line) { read.errors.push_back(line); }});
  return read;
}

class ManifestTest : public testing::Test {
 protected:
  Manifests read(const std::string& text) const {
    return read_file(folder_.write("file.yaml", text));
  }

  /// The location without the file, of a manifest's field.
  static std::string position(const Manifest& manifest, const std::string& pointer) {
    const Location location = location_of(manifest, pointer);
    return std::to_string(location.line) + ':' + std::to_string(location.column);
  }

  const test::TemporaryFolder folder_;
};

constexpr const char* kPod =
    "apiVersion: v1\n"
    "kind: Pod\n"
    "spec:\n"
    "  containers:\n"
    "  - name: a\n"
    "    image: b\n";

TEST_F(ManifestTest, LocatesFields) {
  const Manifests pods = read(kPod);
  ASSERT_EQ(pods.manifests.size(), 1U);
  const Manifest& pod = pods.manifests.front();
  EXPECT_EQ(position(pod, ""), "1:1");
  EXPECT_EQ(position(pod, "/spec"), "3:1");
  EXPECT_EQ(position(pod, "/spec/containers/0"), "5:5");
  EXPECT_EQ(position(pod, "/spec/containers/0/image"), "6:5");
  EXPECT_EQ(position(pod, "/spec/containers/1/image"), "4:3") << "a missing field: its parent";
  EXPECT_EQ(position(pod, "/spec/containers/0/env/0"), "5:5");
  EXPECT_EQ(to_string(location_of(pod)), (folder_ / "file.yaml").string() + ":1:1");
}

TEST_F(ManifestTest, HasNoLocationsInJson) {
  const Manifests read_back = read(R"({"apiVersion": "v1", "kind": "Pod"})");
  ASSERT_EQ(read_back.manifests.size(), 1U);
  EXPECT_EQ(to_string(location_of(read_back.manifests.front(), "/kind")),
            (folder_ / "file.yaml").string());
}

TEST_F(ManifestTest, SplitsDocumentsAndLists) {
  const Manifests objects = read(
      "apiVersion: v1\nkind: Namespace\n---\n# only a comment\n---\n"
      "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod}\n"
      "- {apiVersion: v1, kind: PodList, items: [{apiVersion: v1, kind: Secret}]}\n");
  std::vector<std::string> kinds;
  for (const Manifest& each : objects.manifests)
    kinds.push_back(string_member(each.object, "kind"));
  EXPECT_EQ(kinds, (std::vector<std::string>{"Namespace", "Pod", "Secret"}));
  EXPECT_TRUE(objects.errors.empty());
  EXPECT_EQ(position(objects.manifests[1], "/kind"), "9:20");
}

TEST_F(ManifestTest, ReportsADocumentThatIsWrongAndReadsTheOthers) {
  const Manifests objects =
      read("kind: Pod\n---\napiVersion: v1\nkind: Pod\n---\na: 1\na: 2\n---\n[1]\n");
  EXPECT_EQ(objects.manifests.size(), 1U);
  const std::string file = (folder_ / "file.yaml").string();
  EXPECT_EQ(objects.errors,
            (std::vector<std::string>{
                file + ":1:1: not a Kubernetes object: apiVersion or kind is missing",
                file + ":7:1: duplicate key 'a'",
                file + ":9:1: not a Kubernetes object: apiVersion or kind is missing"}));
}

TEST_F(ManifestTest, ReportsAFileThatCannotBeRead) {
  const Manifests objects = read_file("/nowhere.yaml");
  EXPECT_TRUE(objects.manifests.empty());
  EXPECT_EQ(objects.errors,
            std::vector<std::string>{"cannot read /nowhere.yaml: No such file or directory"});
}

TEST_F(ManifestTest, FindsFilesOfAFolderByExtension) {
  std::filesystem::create_directory(folder_ / "in");
  for (const char* name : {"b.yml", "a.yaml", "c.json", "d.txt", "in/e.yaml"})
    folder_.write(name, "");
  const auto names = [&](bool recursive) {
    std::vector<std::string> files = find_manifest_files(folder_.path().string(), recursive);
    for (std::string& file : files) file.erase(0, folder_.path().string().size() + 1);
    return files;
  };
  EXPECT_EQ(names(false), (std::vector<std::string>{"a.yaml", "b.yml", "c.json"}));
  EXPECT_EQ(names(true), (std::vector<std::string>{"a.yaml", "b.yml", "c.json", "in/e.yaml"}));
  std::filesystem::create_directory(folder_ / "empty");
  EXPECT_THROW(find_manifest_files((folder_ / "empty").string(), true), std::runtime_error);
}

}  // namespace
}  // namespace winadmit::manifests
