// YAML becomes the JSON that kubectl makes of it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "manifests/parse_yaml.hpp"
#include "manifests/yaml_writer.hpp"
#include "tests/manifests/yaml_value.hpp"
#include "tests/test_data.hpp"

namespace winadmit::manifests {
namespace {

using nlohmann::json;

/// scalars.json is what sigs.k8s.io/yaml v1.6.0 says, an entry for each of scalars.yaml.
TEST(Yaml, BecomesTheJsonThatKubectlMakesOfIt) {
  const json yaml = test::yaml_value(test::read(test::data("yaml/scalars.yaml")));
  std::ifstream file(test::data("yaml/scalars.json"));
  const json expected = json::parse(file);
  ASSERT_EQ(yaml.size(), expected.size());
  ASSERT_GT(expected.size(), 70U);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(yaml[i].dump(), expected[i].dump()) << "entry " << i;
  }
}

TEST(Yaml, ReadsBase64InABlock) {
  EXPECT_EQ(test::yaml_value("!!binary |\n  YWJj\n  ZGVm\n"), "abcdef");
  EXPECT_EQ(test::yaml_value("!!binary ''"), "");
  EXPECT_THROW(test::yaml_value("!!binary |\n  YWJ\n"), ParseError);
}

TEST(Yaml, MergesWhatIsNotThere) {
  EXPECT_EQ(test::yaml_value("{<<: {a: 1, b: 2}, a: 3}"), json::parse(R"({"a":3,"b":2})"));
  EXPECT_EQ(test::yaml_value("{<<: [{a: 1}, {a: 2, b: 2}], c: 3}"),
            json::parse(R"({"a":1,"b":2,"c":3})"));
  EXPECT_EQ(test::yaml_value("{'<<': 1}"), json::parse(R"({"<<":1})"));
  EXPECT_EQ(test::yaml_value("{! <<: {a: 1}}"), json::parse(R"({"a":1})"));
  EXPECT_THROW(test::yaml_value("<<: 1"), ParseError);
}

TEST(Yaml, TakesAColonAtTheEndOfAPlainScalarInBracketsAsAPartOfIt) {
  EXPECT_EQ(test::yaml_value("[{name: a, mountPath: D:}]"),
            json::parse(R"([{"name":"a","mountPath":"D:"}])"));
  EXPECT_EQ(test::yaml_value("args: [dir, C:, \u00e9:]"),
            json::parse(R"({"args":["dir","C:","\u00e9:"]})"));
  EXPECT_EQ(test::yaml_value("[&a D:, *a, !!str D:, 'E:', x]"),
            json::parse(R"(["D:","D:","D:","E:","x"])"));
  EXPECT_EQ(test::yaml_value("[&Dx D:, &x x:]"), json::parse(R"(["D:","x:"])"));
  EXPECT_EQ(test::yaml_value("{D:}"), json::parse(R"({"D:":null})"));
  EXPECT_THROW(test::yaml_value("[two\n lines:]"), ParseError);
  EXPECT_THROW(test::yaml_value("[a:[b]]"), ParseError);
}

TEST(Yaml, TakesThatManyColonsAsPartsOfPlainScalars) {
  const auto drives = [](int count) {
    std::string text = "[x";
    for (int i = 0; i < count; ++i) text += ", D:";
    return text + ']';
  };
  EXPECT_EQ(test::yaml_value(drives(128)).size(), 129U);
  EXPECT_THROW(test::yaml_value(drives(129)), ParseError) << "the text is read again for each";
}

TEST(Yaml, RefusesAQuestionMarkInAPlainScalarInBracketsAsKubectlDoes) {
  for (const char* yaml : {"[ipconfig, /?, x]", "{a: b?c}", "{a?: b}", "[what? yes]"})
    EXPECT_THROW(test::yaml_value(yaml), ParseError) << yaml;
  EXPECT_EQ(test::yaml_value("a: /?"), json::parse(R"({"a":"/?"})"));
  EXPECT_EQ(test::yaml_value("['/?', \"/?\"]"), json::parse(R"(["/?","/?"])"));
}

TEST(Yaml, RefusesAnEscapedSlashAsKubectlDoes) {
  EXPECT_THROW(test::yaml_value(R"("a\/b")"), ParseError);
  EXPECT_EQ(test::yaml_value(R"("a\\/b")"), R"(a\/b)");
  EXPECT_EQ(test::yaml_value(R"('a\/b')"), R"(a\/b)");
  EXPECT_EQ(test::yaml_value("a: !!str # a\\/b\n  \"c\""), json::parse(R"({"a":"c"})"));
}

/// By our own reader, which is kubectl's, and by YAML 1.2's words for what is no text.
void expect_to_come_back(const json& value) {
  const std::string yaml = to_yaml(value);
  EXPECT_EQ(test::yaml_value(yaml), value) << yaml;
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

TEST(Yaml, IsNotWrittenOfWhatIsNotUtf8) {
  EXPECT_THROW(to_yaml(nlohmann::ordered_json("\xFF")), std::runtime_error);
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
  struct Case {
    const char* text;
    std::size_t offset;
    const char* what;
  };
  for (const auto& [text, offset, what] : {
           Case{"a: 1\nb: 2\na: 3", 10, "duplicate key 'a'"},
           Case{"a: 1\n'a': 2", 5, "duplicate key 'a'"},
           Case{"1: 1\n'1': 2", 5, "duplicate key '1'"},
           Case{"a:\n  - .nan", 7, ".nan is not a valid JSON number"},
           Case{"? [a]\n: b", 2, "a key must be a scalar"},
           Case{"a: 1\n~: 2", 5, "a key must not be null"},
           Case{"a: !!int b", 3, "cannot be read as !!int, because it is a !!str"},
           Case{"\u00e9: 1\n\u00e9: 2", 6, "duplicate key '\u00e9'"},
           Case{"a: *b", 3, "unknown anchor 'b'"},
           Case{"a: &a [*a]", 7, "anchor 'a' contains itself"},
           Case{"a: &a {<<: *a}", 11, "anchor 'a' contains itself"},
           Case{"a: &a [1]\nb: {<<: *a}", 18, "<< must be a mapping or a list of mappings"},
           Case{"a: [", 4, "did not find expected node content while parsing a flow node"},
           Case{"a: b: c", 4, "mapping values are not allowed in this context"},
           Case{"a: \x01", 3, "control characters are not allowed"},
           Case{"a: \xff", 3, "is not UTF-8; save the file as UTF-8"},
           Case{"a:\n\t- b", 3,
                "found character that cannot start any token while scanning for "
                "the next token"},
       }) {
    try {
      test::yaml_value(text);
      ADD_FAILURE() << text;
    } catch (const ParseError& error) {
      EXPECT_EQ(error.offset, offset) << text;
      EXPECT_STREQ(error.what(), what) << text;
    }
  }
}

TEST(Yaml, LimitsDepthValuesAndWhatAliasesExpandTo) {
  const auto nested = [](int levels) {
    return std::string(static_cast<std::size_t>(levels), '[') +
           std::string(static_cast<std::size_t>(levels), ']');
  };
  EXPECT_NO_THROW(test::yaml_value(nested(200)));
  EXPECT_THROW(test::yaml_value(nested(201)), ParseError);
  EXPECT_NO_THROW(test::yaml_value(nested(7), {.depth = 7}));
  EXPECT_THROW(test::yaml_value(nested(8), {.depth = 7}), ParseError);
  EXPECT_THROW(test::yaml_value(nested(100'000)), ParseError);
  std::string laughs = "a0: &a0 [x, x]\n";
  for (int i = 1; i < 100; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    laughs +=
        'a' + std::to_string(i) + ": &a" + std::to_string(i) + " [" + last + ", " + last + "]\n";
  }
  EXPECT_THROW(test::yaml_value(laughs), ParseError);
  // Few values, but many bytes.
  std::string bytes = "a: &a " + std::string(1'000'000, 'x') + "\nb: [";
  for (int i = 0; i < 100; ++i) bytes += "*a, ";
  EXPECT_THROW(test::yaml_value(bytes + "*a]"), ParseError);
  std::string names = "a: &a {" + std::string(100'000, 'x') + ": 1}\nb: [";
  for (int i = 0; i < 1000; ++i) names += "*a, {<<: *a}, ";
  EXPECT_THROW(test::yaml_value(names + "*a]"), ParseError);
  EXPECT_THROW(test::yaml_value("[1, 2, 3]", {.document_size = 48}), ParseError);
  EXPECT_NO_THROW(test::yaml_value("[1, 2]", {.document_size = 48}));
}

TEST(Yaml, LimitsWhatAliasesStandForApartFromTheDocument) {
  const std::string two_values = "[&a [1], *a]";  // the list and its entry
  EXPECT_NO_THROW(test::yaml_value(two_values, {.alias_size = 32}));
  EXPECT_THROW(test::yaml_value(two_values, {.alias_size = 31}), ParseError);
  const std::string bytes = "[&a " + std::string(100, 'x') + ", *a]";
  EXPECT_NO_THROW(test::yaml_value(bytes, {.alias_size = 100}));
  EXPECT_THROW(test::yaml_value(bytes, {.alias_size = 99}), ParseError);
  EXPECT_THROW(test::yaml_value(bytes, {.document_size = 99}), ParseError) << "the same by default";
}

TEST(Yaml, RefusesTheAliasesAndMergesThatGoYamlRefuses) {
  const auto members = [](int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += 'k' + std::to_string(i) + ": v, ";
    return text;
  };
  const auto repeated = [](const std::string& text, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) all += text;
    return all;
  };
  const auto list = [&](int count) {
    return "a: &a [" + repeated("x,", 100) + "]\nb: [" + repeated("*a,", count) + "]\n";
  };
  const auto merged_list = [&](int count) {
    return "a: &a {" + members(100) + "}\nb: {<<: [" + repeated("*a,", count) + "]}\n";
  };
  const auto chain = [&](int count) {
    std::string text = "a0: &a0 {" + members(2000) + "}\n";
    for (int i = 1; i <= count; ++i) {
      const std::string number = std::to_string(i);
      text += 'a' + number + ": &a" + number + " {<<: *a" + std::to_string(i - 1) + "}\n";
    }
    return text;
  };
  const auto expect_most = [](const std::function<std::string(int)>& text, int count) {
    EXPECT_NO_THROW(test::yaml_value(text(count)));
    try {
      test::yaml_value(text(count + 1));
      ADD_FAILURE() << count + 1 << " are read";
    } catch (const ParseError& error) {
      EXPECT_PRED_FORMAT2(testing::IsSubstring, "excessive aliasing", error.what());
    }
  };
  // Of sigs.k8s.io/yaml 1.6.0.
  expect_most(list, 3923);
  expect_most(merged_list, 199);
  expect_most(chain, 97);
}

TEST(Yaml, CountsWhatAliasesStandForOnce) {
  const std::string key = "a: &a " + std::string(100, 'k') + "\nb: [{*a : 1}, {*a : 2}]";
  EXPECT_NO_THROW(test::yaml_value(key, {.alias_size = 200}));
  EXPECT_THROW(test::yaml_value(key, {.alias_size = 199}), LimitError);
  const std::string in_another = "a: &a [1]\nb: &b [*a]\nc: *b";  // 2, and 3 keys and values
  EXPECT_NO_THROW(test::yaml_value(in_another, {.alias_size = 80}));
  EXPECT_THROW(test::yaml_value(in_another, {.alias_size = 79}), LimitError);
}

TEST(Yaml, CountsLevelsAsIfAliasesWereWrittenOut) {
  const struct {
    std::string text;
    std::size_t levels;
  } cases[] = {
      {"a: {b: [[]]}", 4},
      {"a: &a []\nb: {c: [*a]}", 4},
      {"base: &b {x: {y: 1}}\npod: {<<: *b}", 3},
      {"a: &a {x: 1}\nb: &b {<<: *a}\nc: {<<: *b}", 2},
  };
  for (const auto& each : cases) {
    EXPECT_NO_THROW(test::yaml_value(each.text, {.depth = each.levels})) << each.text;
    EXPECT_THROW(test::yaml_value(each.text, {.depth = each.levels - 1}), LimitError) << each.text;
  }
  std::string chain = "a0: &a0 {x: 1}\n";
  for (int i = 1; i <= 100'000; ++i) {
    const std::string name = 'a' + std::to_string(i);
    chain += name + ": &" + name + " {<<: *a" + std::to_string(i - 1) + "}\n";
  }
  EXPECT_THROW(test::yaml_value(chain), LimitError);
}

TEST(Yaml, ReadsKeysAsKubectlDoes) {
  EXPECT_EQ(
      test::yaml_value("{8080: a, yes: b, 1.5: c, 1e3: d, 1e6: e, 0.00001: f, .inf: g, 0x10: h}"),
      json::parse(R"({"8080": "a", "true": "b", "1.5": "c", "1000": "d", "1e+06": "e",
                            "1e-05": "f", ".inf": "g", "16": "h"})"));
}

TEST(Yaml, LetsALaterMergeWinAsGoYamlDoes) {
  EXPECT_EQ(test::yaml_value("{a: 3, <<: {a: 1}}"), json::parse(R"({"a": 1})"));
  EXPECT_EQ(test::yaml_value("{<<: {a: 1}, a: 3}"), json::parse(R"({"a": 3})"));
}

TEST(Yaml, TellsTheBytesOfEachValue) {
  const std::string text =
      "\xEF\xBB\xBF# \u00e9\nk\u00e9y: 'v\u00e9'  # c\nlist:\n- &a x\n- *a\n- |\n  t\n\nend: ''\n";
  Document document(text);
  parse_yaml(document);
  std::vector<std::string> slices;
  for (NodeId id = 1; id < document.size(); ++id) {
    slices.emplace_back(
        document.text().substr(document[id].begin, document[id].end - document[id].begin));
  }
  EXPECT_EQ(slices,
            (std::vector<std::string>{"k\u00e9y", "'v\u00e9'", "list", "- &a x\n- *a\n- |\n  t\n\n",
                                      "&a x", "*a", "|\n  t\n\n", "end", "''"}));
}

}  // namespace
}  // namespace winadmit::manifests
