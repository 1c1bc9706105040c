#include "config/config_reader.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace winadmit::server {
namespace {

class ConfigReaderTest : public testing::Test {
 protected:
  ConfigNode load(const std::string& yaml) { return reader_.load(yaml).value(); }

  std::string errors() const {
    try {
      reader_.throw_errors();
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  }

  ConfigReader reader_{"c.yaml"};
};

TEST_F(ConfigReaderTest, ReportsDuplicateAndUnknownKeysOfAMapping) {
  std::string keys;
  reader_.mapping(load("a: 1\nb: 2\na: 3\n[]: 4\n"), "it",
                  [&](const std::string& key, const ConfigNode&) {
                    keys += key;
                    return key == "a";
                  });
  EXPECT_EQ(keys, "aba");
  EXPECT_EQ(errors(),
            "c.yaml:2: unknown key 'b' in it\nc.yaml:3: duplicate key 'a'\n"
            "c.yaml:4: a key of it must be a string");
}

TEST_F(ConfigReaderTest, ReadsNullAsAnEmptyMappingOrList) {
  reader_.mapping(load("~"), "it", [](const auto&, const auto&) { return false; });
  EXPECT_EQ(reader_.strings(load("null"), "it"), std::vector<std::string>{});
  EXPECT_EQ(errors(), "");
}

TEST_F(ConfigReaderTest, ReadsEveryScalarAsAString) {
  EXPECT_EQ(reader_.strings(load("[1.30, true, 'null', \"a\\x41\", Jane Doe]"), "it"),
            (std::vector<std::string>{"1.30", "true", "null", "aA", "Jane Doe"}));
  EXPECT_EQ(errors(), "");
}

TEST_F(ConfigReaderTest, ReadsTheWordsForBooleansThatKubectlReads) {
  std::string read;
  reader_.list(load("[true, False, yes, off, 'true', \"no\"]"), "it", [&](const ConfigNode& entry) {
    bool flag = false;
    reader_.boolean(flag, entry, "an entry");
    read += flag ? '1' : '0';
  });
  EXPECT_EQ(read, "101010");
  EXPECT_EQ(errors(), "");
}

TEST_F(ConfigReaderTest, ReadsAliases) {
  const ConfigNode file = load("a: &a [x]\nb: *a\n");
  EXPECT_EQ(reader_.strings(file.children()[3], "b"), std::vector<std::string>{"x"});
  EXPECT_EQ(file.children()[3].line(), 2);
}

TEST_F(ConfigReaderTest, ReportsWrongTypes) {
  const auto file =
      load("a: maybe\nb: []\nc: x\nd: ['', \"a\\nb\", \"a\\x7F\"]\ne: x\n").children();
  bool flag = false;
  reader_.boolean(flag, file[1], "a");
  EXPECT_EQ(reader_.string(file[3], "b"), std::nullopt);
  reader_.strings(file[5], "c");
  reader_.strings(file[7], "d");
  reader_.mapping(file[9], "e", [](const auto&, const auto&) { return true; });
  EXPECT_EQ(errors(),
            "c.yaml:1: a must be true or false\n"
            "c.yaml:2: b must be a string\n"
            "c.yaml:3: c must be a list\n"
            "c.yaml:4: an entry of d must not be empty\n"
            "c.yaml:4: an entry of d must not contain control characters\n"
            "c.yaml:4: an entry of d must not contain control characters\n"
            "c.yaml:5: e must be a mapping");
}

TEST_F(ConfigReaderTest, ReportsAHundredErrorsAndCountsTheRest) {
  std::string yaml;
  for (int i = 0; i < 102; ++i) yaml += "k" + std::to_string(i) + ": 1\n";
  reader_.mapping(load(yaml), "it", [](const auto&, const auto&) { return false; });
  EXPECT_EQ(std::ranges::count(errors(), '\n'), 100);
  EXPECT_TRUE(errors().ends_with("\nc.yaml:100: unknown key 'k99' in it\nand 2 more errors"))
      << errors();
}

TEST_F(ConfigReaderTest, CutsALongError) {
  reader_.strings(load("[a]"), "it", [](const auto&) { return std::string(5000, 'x'); });
  EXPECT_TRUE(errors().starts_with("c.yaml:1: xxx")) << errors();
  EXPECT_LT(errors().size(), 600U);
}

TEST_F(ConfigReaderTest, ReportsWhatIsNoYaml) {
  EXPECT_FALSE(reader_.load("a: 1\nb: [\n"));
  EXPECT_FALSE(reader_.load("a: *b\n"));
  EXPECT_FALSE(reader_.load("\xFF\xFE" + std::string("a\0", 2)));
  EXPECT_FALSE(reader_.load(""));
  EXPECT_EQ(errors(),
            "c.yaml:3: did not find expected node content while parsing a flow node\n"
            "c.yaml:1: unknown anchor 'b'\n"
            "c.yaml:1: is UTF-16, not UTF-8");
}

TEST_F(ConfigReaderTest, ReadsAsManyValuesAsTheFileHas) {
  std::string list = "[";
  for (int i = 0; i < 1'100'000; ++i) list += "a,";
  EXPECT_EQ(load(list + "]").children().size(), 1'100'000U);
  EXPECT_EQ(errors(), "");
}

}  // namespace
}  // namespace winadmit::server
