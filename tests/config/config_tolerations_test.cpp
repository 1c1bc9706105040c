#include "config/config_tolerations.hpp"

#include <gtest/gtest.h>

namespace winadmit::server {
namespace {

std::vector<Toleration> read(ConfigReader& reader, const std::string& yaml) {
  return read_tolerations(reader, reader.load(yaml).value(), "tolerations");
}

std::string toleration_errors(const std::string& yaml) {
  ConfigReader reader("c.yaml");
  read(reader, yaml);
  try {
    reader.throw_errors();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(ConfigTolerations, HaveTheOperatorEqualByDefault) {
  ConfigReader reader("c.yaml");
  EXPECT_EQ(read(reader, "[{key: os, value: windows}, {key: sku, operator: Exists}]"),
            (std::vector<Toleration>{{"os", "Equal", "windows", ""}, {"sku", "Exists", "", ""}}));
  EXPECT_EQ(read(reader, "[{key: sku, operator: Exists, value: ''}]"),
            (std::vector<Toleration>{{"sku", "Exists", "", ""}}));
  reader.throw_errors();
}

TEST(ConfigTolerations, AreCheckedAsTheApiServerDoes) {
  struct Case {
    const char *yaml, *error;
  };
  constexpr Case kCases[] = {
      {"[{value: a}]", "c.yaml:1: a toleration needs a key"},
      {"[~]", "a toleration needs a key"},
      {"[{}]", "a toleration needs a key"},
      {"[{key: ''}]", "a toleration needs a key"},
      {"[{key: '', operator: Exists}]", "a toleration needs a key"},
      {"[{key: example.com/}]", "'example.com/' cannot be the key of a taint"},
      {"[{key: a, value: b c}]", "'b c' cannot be the value of a taint"},
      {"[{key: a, operator: Exists, value: b}]", "must not have a value"},
      {"[{key: a, operator: In}]", "must be Equal or Exists"},
      {"[{key: a, effect: Never}]", "must be NoSchedule, PreferNoSchedule or NoExecute"},
      {"[{key: a, seconds: 1}]", "unknown key 'seconds' in a toleration"},
      {"[a]", "a toleration must be a mapping"},
      {"a", "tolerations must be a list"},
  };
  for (const Case& each : kCases) {
    EXPECT_NE(toleration_errors(each.yaml).find(each.error), std::string::npos)
        << toleration_errors(each.yaml);
  }
}

TEST(ConfigTolerations, ByBuildNeedAWindowsBuild) {
  ConfigReader reader("c.yaml");
  const auto read_builds = [&reader](const std::string& yaml) {
    return read_tolerations_by_build(reader, reader.load(yaml).value(), "tolerationsByBuild");
  };
  EXPECT_EQ(read_builds("{10.0.20348: [{key: os}], 10.0.17763: []}").at("10.0.20348").size(), 1U);
  EXPECT_NO_THROW(reader.throw_errors());
  read_builds("{ltsc2022: []}");
  EXPECT_THROW(reader.throw_errors(), ConfigError);
}

}  // namespace
}  // namespace winadmit::server
