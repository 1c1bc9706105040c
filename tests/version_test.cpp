// The version of CMakeLists.txt, in the files whose format needs a literal.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <string>

#include "config/build_info.hpp"
#include "tests/test_data.hpp"

namespace winadmit {
namespace {

/// Expects `pattern`, whose only group is a version, `count` times in `file`, always with ours.
void expect_version(const std::filesystem::path& file, const std::string& pattern, int count) {
  const std::string text = test::read(file);
  const std::regex regex(pattern);
  for (std::sregex_iterator each(text.begin(), text.end(), regex), end; each != end; ++each) {
    EXPECT_EQ((*each)[1].str(), server::kVersion) << file;
    --count;
  }
  EXPECT_EQ(count, 0) << file;
}

TEST(Version, IsTheSameInEveryFile) {
  expect_version(test::source("deploy/helm/winadmit/Chart.yaml"), R"(\n(?:appV|v)ersion: (\S+))",
                 2);
  expect_version(test::source("deploy/kustomize/base/kustomization.yaml"), R"(newTag: (\S+))", 1);
  expect_version(test::source("deploy/kustomize/overlays/self-signed/kustomization.yaml"),
                 R"(newTag: (\S+))", 1);
  expect_version(test::source("deploy/image/Containerfile"), R"(\nARG VERSION=(\S+))", 1);
}

TEST(Version, HasAnEntryInTheChangelog) {
  const std::string heading = "\n## [" + std::string(server::kVersion) + "]";
  EXPECT_NE(test::read(test::source("CHANGELOG.md")).find(heading), std::string::npos) << heading;
}

}  // namespace
}  // namespace winadmit
