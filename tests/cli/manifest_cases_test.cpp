// `winadmit check` and `winadmit fix` with the manifests in tests/data/check and tests/data/fix;
// see the READMEs there. WINADMIT_UPDATE_GOLDEN=1 writes what they print.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/cli/binary.hpp"
#include "tests/test_data.hpp"

namespace winadmit {
namespace {

namespace fs = std::filesystem;

/// "check/pods.yaml", "fix/placed.yaml": the folder is the subcommand.
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

TEST_P(ManifestFile, GivesTheExpectedOutput) {
  const fs::path file = test::data(GetParam());
  const std::string command = file.parent_path().filename();
  const std::string text = test::read(file);
  const std::string mark = "# " + command + ' ';
  std::string flags;
  if (text.starts_with(mark)) flags = text.substr(mark.size(), text.find('\n') - mark.size());
  const auto result = run(command + ' ' + flags + " -f " + file.filename().string(),
                          "cd " + file.parent_path().string() + " &&");
  const std::string output =
      "exit " + std::to_string(result.exit_code) + '\n' + result.out + "---\n" + result.err;
  const std::string expected = file.string() + ".expected";
  if (std::getenv("WINADMIT_UPDATE_GOLDEN") != nullptr) std::ofstream(expected) << output;
  EXPECT_EQ(output, test::read(expected));
}

TEST(ManifestFiles, HaveNoExpectedOutputWithoutAManifest) {
  for (const char* command : {"check", "fix"}) {
    for (const auto& entry : fs::directory_iterator(test::data(command))) {
      const fs::path& file = entry.path();
      if (file.extension() != ".expected") continue;
      EXPECT_TRUE(fs::exists(fs::path(file).replace_extension())) << file;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Files, ManifestFile, testing::ValuesIn(cases()), [](const auto& each) {
  std::string name = each.param;
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

}  // namespace
}  // namespace winadmit
