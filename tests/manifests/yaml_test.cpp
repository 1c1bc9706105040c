// YAML becomes the JSON that kubectl makes of it.
#include "manifests/yaml.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/test_data.hpp"

namespace winadmit::manifests {
namespace {

using nlohmann::json;

/// scalars.json is what sigs.k8s.io/yaml v1.6.0 says, an entry for each of scalars.yaml.
TEST(Yaml, BecomesTheJsonThatKubectlMakesOfIt) {
  const YAML::Node yaml = YAML::LoadFile(test::data("yaml/scalars.yaml"));
  std::ifstream file(test::data("yaml/scalars.json"));
  const json expected = json::parse(file);
  ASSERT_EQ(yaml.size(), expected.size());
  ASSERT_GT(expected.size(), 70U);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(to_json(yaml[i]).dump(), expected[i].dump()) << "entry " << i;
  }
}

TEST(Yaml, MergesWhatIsNotThere) {
  EXPECT_EQ(to_json(YAML::Load("{<<: {a: 1, b: 2}, a: 3}")), json::parse(R"({"a":3,"b":2})"));
  EXPECT_EQ(to_json(YAML::Load("{<<: [{a: 1}, {a: 2, b: 2}], c: 3}")),
            json::parse(R"({"a":1,"b":2,"c":3})"));
  EXPECT_EQ(to_json(YAML::Load("{'<<': 1}")), json::parse(R"({"<<":1})"));
  EXPECT_THROW(to_json(YAML::Load("<<: 1")), YamlError);
}

/// By our own reader, which is kubectl's, and by YAML 1.2's words for what is no text.
void expect_to_come_back(const json& value) {
  const std::string yaml = to_yaml(value);
  EXPECT_EQ(to_json(YAML::Load(yaml)), value) << yaml;
}

TEST(Yaml, ComesBackAsItWas) {
  for (const char* text : {"",
                           "a",
                           "yes",
                           "on",
                           "null",
                           "~",
                           "010",
                           "1e3",
                           "0x1f",
                           "1.5",
                           "true",
                           "-",
                           "- a",
                           "a: b",
                           "a:",
                           ":a",
                           "#a",
                           "a #b",
                           "a\nb",
                           "a\nb\n",
                           "a\n\nb\n",
                           "a\n\n",
                           "\n",
                           "\n\na\n",
                           " a",
                           "a ",
                           "  a\n b\n",
                           "a\tb",
                           "\x01",
                           "\u00e9",
                           "\U0001F600",
                           "'",
                           "\"",
                           "\\",
                           "{}",
                           "[a]",
                           "*a",
                           "&a",
                           "!a",
                           "|",
                           ">",
                           "%a",
                           "@a",
                           "`a`",
                           "<<",
                           "=",
                           "?",
                           "2021-01-01",
                           "12:30",
                           "a,b",
                           "os=Win1809:NoSchedule",
                           "..",
                           "0o7",
                           "---",
                           "...",
                           "-- a\n--- b\n",
                           "a: |\nb",
                           "a | b\nc",
                           "100Mi"}) {
    expect_to_come_back(text);
    expect_to_come_back({{"key", text}, {"list", {text, {{"nested", text}}}}});
    expect_to_come_back({{text, "as a key"}});
  }
  for (const char* text :
       {"{}", "[]", "null", "true", "1", "-1", "1.5", "18446744073709551615",
        R"({"a": {}, "b": [], "c": [[], [[1, [2]], {}]], "d": null, "e": [{"f": [{"g": 1}]}]})"}) {
    expect_to_come_back(json::parse(text));
  }
}

TEST(Yaml, ComesBackAsItWasOfEveryCapturedReview) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(test::data("reviews"))) {
    if (entry.path().extension() != ".json") continue;
    std::ifstream file(entry.path());
    expect_to_come_back(json::parse(file).at("request"));
    ++files;
  }
  EXPECT_GT(files, 100U);
}

TEST(Yaml, NamesThePlaceOfWhatJsonCannotSay) {
  for (const auto& [text, line] : {std::pair{"a: 1\nb: 2\na: 3", 2}, std::pair{"a:\n  - .nan", 1},
                                   std::pair{"? [a]\n: b", 0}}) {
    try {
      to_json(YAML::Load(text));
      ADD_FAILURE() << text;
    } catch (const YamlError& error) {
      EXPECT_EQ(error.mark.line, line) << text;
    }
  }
}

}  // namespace
}  // namespace winadmit::manifests
