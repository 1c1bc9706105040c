#include "server/config/config_reader.hpp"

#include <gtest/gtest.h>

namespace winadmit::server {
namespace {

class ConfigReaderTest : public testing::Test {
 protected:
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
  reader_.mapping(YAML::Load("a: 1\nb: 2\na: 3\n"), "it",
                  [&](const std::string& key, const YAML::Node&) {
                    keys += key;
                    return key == "a";
                  });
  EXPECT_EQ(keys, "aba");
  EXPECT_EQ(errors(), "c.yaml:2: unknown key 'b' in it\nc.yaml:3: duplicate key 'a'");
}

TEST_F(ConfigReaderTest, ReadsNullAsAnEmptyMappingOrList) {
  reader_.mapping(YAML::Load("~"), "it", [](const auto&, const auto&) { return false; });
  EXPECT_EQ(reader_.strings(YAML::Load("~"), "it"), std::vector<std::string>{});
  EXPECT_EQ(errors(), "");
}

TEST_F(ConfigReaderTest, ReportsWrongTypes) {
  const YAML::Node file = YAML::Load("a: maybe\nb: []\nc: x\nd: ['', \"a\\nb\"]\ne: x\n");
  bool flag = false;
  reader_.boolean(flag, file["a"], "a");
  reader_.string(file["b"], "b");
  reader_.strings(file["c"], "c");
  reader_.strings(file["d"], "d");
  reader_.mapping(file["e"], "e", [](const auto&, const auto&) { return true; });
  EXPECT_EQ(errors(),
            "c.yaml:1: a must be true or false\n"
            "c.yaml:2: b must be a string\n"
            "c.yaml:3: c must be a list\n"
            "c.yaml:4: an entry of d must not be empty\n"
            "c.yaml:4: an entry of d must not contain control characters\n"
            "c.yaml:5: e must be a mapping");
}

TEST_F(ConfigReaderTest, OmitsTheLineOfAnErrorWithoutOne) {
  reader_.fail(YAML::Mark::null_mark(), "wrong");
  EXPECT_EQ(errors(), "c.yaml: wrong");
}

}  // namespace
}  // namespace winadmit::server
