// Folders of the sources include each other as docs/architecture.md says.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/find_all.hpp"
#include "tests/test_data.hpp"

namespace winadmit::test {
namespace {

namespace fs = std::filesystem;

/// Sources that are compiled into the binary.
std::vector<fs::path> sources_below(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension().string();
    if (extension == ".cpp" || extension == ".hpp") found.push_back(entry.path());
  }
  return found;
}

TEST(Layers, IncludeOnlyWhatIsAboveThemInTheTableOfTheArchitecture) {
  const fs::path root = test::source("");
  const std::vector<std::string> folders =
      find_all(test::read(root / "docs/architecture.md"), R"(^\| `([a-z/]+)/` \|)");
  const auto index = [&](const fs::path& folder) {
    return std::ranges::find(folders, folder.string()) - folders.begin();
  };
  std::size_t count = 0;
  for (const char* part : {"text", "policy", "admission", "bytes", "manifests", "config", "export",
                           "certs", "server", "cluster", "cli"}) {
    for (const fs::path& file : sources_below(root / part)) {
      const fs::path own = file.parent_path().lexically_relative(root);
      EXPECT_LT(index(own), std::ssize(folders)) << own << " is not in the table";
      for (const std::string& header : find_all(test::read(file), "^#include \"([^\"]+)\"$")) {
        ++count;
        EXPECT_LE(index(fs::path(header).parent_path()), index(own)) << file << ": " << header;
      }
    }
  }
  EXPECT_GT(count, 500U);
}

/// What checks files does not depend on a web server.
TEST(Layers, TheCommandServeAloneUsesTheServer) {
  const fs::path root = test::source("");
  for (const fs::path& file : sources_below(root / "cli")) {
    if (file.filename().string().starts_with("serve")) continue;
    EXPECT_EQ(test::read(file).find("#include \"server/"), std::string::npos) << file;
  }
}

}  // namespace
}  // namespace winadmit::test
