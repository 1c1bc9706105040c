// Each test that SECURITY.md names exists.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "tests/test_data.hpp"

namespace winadmit::test {
namespace {

namespace fs = std::filesystem;

/// Every file of a folder with this extension, one after the other.
std::string read_all(const fs::path& folder, const std::string& extension) {
  std::string all;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == extension) all += read(entry.path());
  }
  return all;
}

/// What stands in backquotes and matches.
std::set<std::string> names(const std::string& text, const std::string& pattern) {
  const std::regex quoted("`" + pattern + "`");
  std::set<std::string> found;
  for (std::sregex_iterator each(text.begin(), text.end(), quoted), end; each != end; ++each) {
    found.insert((*each)[1]);
  }
  return found;
}

const std::string kText = read(source("SECURITY.md"));

TEST(SecurityPage, NamesTestsOfThisProgramThatExist) {
  std::set<std::string> tests;
  const auto* const program = testing::UnitTest::GetInstance();
  for (int i = 0; i < program->total_test_suite_count(); ++i) {
    const auto* const suite = program->GetTestSuite(i);
    for (int j = 0; j < suite->total_test_count(); ++j) {
      tests.insert(std::string(suite->name()) + '.' + suite->GetTestInfo(j)->name());
    }
  }
  const auto named = names(kText, R"(([A-Z]\w+\.[A-Z]\w+))");
  EXPECT_GT(named.size(), 20U);
  for (const std::string& name : named) EXPECT_TRUE(tests.contains(name)) << name;
}

TEST(SecurityPage, NamesTestsOfTheClusterThatExist) {
  const std::string sources = read_all(source("tests/e2e"), ".go");
  const auto named = names(kText, R"((Test\w+))");
  EXPECT_FALSE(named.empty());
  for (const std::string& name : named) {
    EXPECT_NE(sources.find("func " + name + "("), std::string::npos) << name;
  }
}

TEST(SecurityPage, NamesAttacksThatExist) {
  const std::string sources = read_all(source("tests/torture"), ".py");
  const auto named = names(kText, R"(torture: ([\w-]+))");
  EXPECT_FALSE(named.empty());
  for (const std::string& name : named) {
    EXPECT_NE(sources.find("(\"" + name + '"'), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace winadmit::test
