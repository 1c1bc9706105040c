// The documentation: links lead to files and headings, and paths of the repository exist.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "config/build_info.hpp"
#include "tests/find_all.hpp"
#include "tests/test_data.hpp"

namespace winadmit::test {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = test::source("");

/// The pages that people write or programs generate, below the root.
std::vector<fs::path> pages() {
  std::vector<fs::path> all;
  for (const char* folder : {"", "docs", "docs/lab", "deploy", "deploy/observability", "samples"}) {
    for (const auto& entry : fs::directory_iterator(kRoot / folder)) {
      if (entry.path().extension() == ".md") all.push_back(entry.path());
    }
  }
  return all;
}

/// The anchors of a page's headings, as GitHub makes them.
std::set<std::string> anchors(const fs::path& page) {
  std::set<std::string> all;
  for (const std::string& heading : find_all(test::read(page), R"(\n#+ ([^\n]+))")) {
    std::string anchor;
    for (const char c : heading) {
      if (c == ' ') anchor += '-';
      if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_')
        anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    all.insert(anchor);
  }
  return all;
}

TEST(Docs, LinksLeadToFilesAndHeadings) {
  std::size_t count = 0;
  for (const fs::path& page : pages()) {
    for (const std::string& link : find_all(test::read(page), R"(\]\(([^)\s]+)\))")) {
      if (link.find("://") != std::string::npos) continue;
      ++count;
      const auto hash = link.find('#');
      const fs::path file = hash == 0 ? page : page.parent_path() / link.substr(0, hash);
      EXPECT_TRUE(fs::exists(file)) << page << ": " << link;
      if (hash == std::string::npos || !fs::exists(file)) continue;
      EXPECT_TRUE(anchors(file).contains(link.substr(hash + 1))) << page << ": " << link;
    }
  }
  EXPECT_GT(count, 40U);
}

/// A path, a path without its extension, or a pattern such as "rules_*.hpp".
bool exists(const std::string& path) {
  if (fs::exists(kRoot / path)) return true;
  const fs::path folder = (kRoot / path).parent_path();
  if (!fs::is_directory(folder)) return false;
  const std::string name = fs::path(path).filename().string();
  const std::regex pattern(std::regex_replace(name, std::regex(R"(\*)"), R"([^/]*)") +
                           R"((\.\w+)?)");
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (std::regex_match(entry.path().filename().string(), pattern)) return true;
  }
  return false;
}

TEST(Docs, PathsOfTheRepositoryExist) {
  std::size_t count = 0;
  for (const char* name : {"CONTRIBUTING.md", "docs/architecture.md", "docs/README.md"}) {
    const std::string text = test::read(kRoot / name);
    for (
        const std::string& path : find_all(
            text,
            R"(`((?:policy|admission|config|export|server|bytes|certs|cluster|manifests|cli|tests|deploy|tools|samples|docs)/[\w./*-]*)`)")) {
      ++count;
      EXPECT_TRUE(exists(path)) << name << ": " << path;
    }
  }
  EXPECT_GT(count, 40U);
}

/// Pages that are made from the binary and committed. `make docs` writes them again.
TEST(Docs, GeneratedPagesAreCurrent) {
  const fs::path build = fs::path(test::binary()).parent_path();
  const std::string check = kRoot.string() + "tools/docs.sh --check " + build.string();
  EXPECT_EQ(std::system(check.c_str()), 0);
}

TEST(Docs, NameImagesOfThisVersion) {
  for (const fs::path& page : pages()) {
    for (const std::string& version :
         find_all(test::read(page), R"((?:/winadmit:|targetRevision: |[tT]ag: )(\d+\.\d+\.\d+))")) {
      EXPECT_EQ(version, server::kVersion) << page;
    }
  }
}

}  // namespace
}  // namespace winadmit::test
