#include "policy/pod/toleration.hpp"

#include <gtest/gtest.h>

#include "tests/policy/parsed.hpp"

namespace winadmit {
namespace {

PodTolerations read(const std::optional<JsonArray>& list) {
  FieldPath path;
  FieldErrors errors;
  return {list, path, errors};
}

const Toleration kKep = {.key = "os", .value = "Win1809", .effect = "NoSchedule"};

// Rows as in Kubernetes' own table (k8s.io/api core/v1/toleration_test.go).
TEST(Toleration, MatchesAsInKubernetes) {
  struct Case {
    const char* name;
    const char* entry;
    bool tolerates;
    bool is_by_name;
  };
  constexpr Case kCases[] = {
      {"the same", R"({"key":"os","operator":"Equal","value":"Win1809","effect":"NoSchedule"})",
       true, true},
      {"no operator is Equal", R"({"key":"os","value":"Win1809","effect":"NoSchedule"})", true,
       true},
      {"empty operator is Equal",
       R"({"key":"os","operator":"","value":"Win1809","effect":"NoSchedule"})", true, true},
      {"no effect is every effect", R"({"key":"os","value":"Win1809"})", true, true},
      {"empty effect is every effect", R"({"key":"os","value":"Win1809","effect":""})", true, true},
      {"another effect", R"({"key":"os","value":"Win1809","effect":"NoExecute"})", false, false},
      {"another value", R"({"key":"os","value":"windows","effect":"NoSchedule"})", false, false},
      {"value in another case", R"({"key":"os","value":"win1809"})", false, false},
      {"no value", R"({"key":"os"})", false, false},
      {"another key", R"({"key":"sku","value":"Win1809"})", false, false},
      {"Exists of the key", R"({"key":"os","operator":"Exists"})", true, false},
      {"Exists of the key, another effect",
       R"({"key":"os","operator":"Exists","effect":"NoExecute"})", false, false},
      {"Exists of another key", R"({"key":"sku","operator":"Exists"})", false, false},
      {"keyless Exists", R"({"operator":"Exists"})", true, false},
      {"keyless Exists of the effect", R"({"operator":"Exists","effect":"NoSchedule"})", true,
       false},
      {"keyless Exists of another effect", R"({"operator":"Exists","effect":"NoExecute"})", false,
       false},
      {"empty key and Exists", R"({"key":"","operator":"Exists"})", true, false},
      {"an unknown operator", R"({"key":"os","operator":"In","value":"Win1809"})", false, false},
      {"tolerationSeconds need the effect NoExecute",
       R"({"key":"os","value":"Win1809","effect":"NoSchedule","tolerationSeconds":5})", false,
       false},
      {"tolerationSeconds without an effect",
       R"({"key":"os","operator":"Exists","tolerationSeconds":0})", false, false},
      {"Exists with a value", R"({"key":"os","operator":"Exists","value":"Win1809"})", false,
       false},
      {"an operator in another case", R"({"key":"os","operator":"exists"})", false, false},
      {"Exists with an unknown effect", R"({"key":"os","operator":"Exists","effect":"noSchedule"})",
       false, false},
      {"keyless Exists with a value", R"({"operator":"Exists","value":"Win1809"})", false, false},
      {"Equal without a key", R"({"operator":"Equal","value":"Win1809"})", false, false},
      {"a value without a key", R"({"value":"Win1809"})", false, false},
      {"nulls are absent", R"({"key":"os","operator":null,"value":"Win1809","effect":null})", true,
       true},
      {"an empty toleration", "{}", false, false},
  };
  for (const Case& each : kCases) {
    SCOPED_TRACE(each.name);
    const test::ParsedJson list('[' + std::string(each.entry) + ']');
    EXPECT_EQ(read(list.array()).tolerates(kKep), each.tolerates);
    EXPECT_EQ(read(list.array()).tolerates_by_name(kKep), each.is_by_name);
  }
}

TEST(Toleration, MatchesInAnyEntry) {
  const test::ParsedJson list(R"([1,null,"a",{"key":"x"},{"key":"os","value":"Win1809"}])");
  EXPECT_TRUE(read(list.array()).tolerates(kKep));
  EXPECT_FALSE(read(std::nullopt).tolerates(kKep));
}

TEST(Toleration, OfEveryTaintOfAKeyNeedsExists) {
  const Toleration whole_key = {.key = "os", .op = "Exists", .value = "", .effect = ""};
  const auto tolerated = [&](const char* list) {
    const test::ParsedJson parsed(list);
    return read(parsed.array()).tolerates(whole_key);
  };
  EXPECT_FALSE(tolerated(R"([{"key":"os","value":"Win1809"}])"));
  EXPECT_FALSE(tolerated(R"([{"key":"os","operator":"Exists","effect":"NoSchedule"}])"));
  EXPECT_TRUE(tolerated(R"([{"key":"os","operator":"Exists"}])"));
  EXPECT_TRUE(tolerated(R"([{"operator":"Exists"}])"));
}

TEST(Toleration, IsForOthersIfItsTaintIsNotKnown) {
  const Toleration other = {.key = "os", .value = "Win2022", .effect = "NoSchedule"};
  struct Case {
    const char* entry;
    bool is_for_others;
  };
  constexpr Case kCases[] = {
      {R"({"operator":"Exists"})", true},
      {R"({"key":"os","operator":"Exists"})", true},
      {R"({"key":"os","value":"Win1909"})", true},
      {R"({"key":"os","value":"Win2022"})", false},
      {R"({"key":"os","operator":"Equal","value":"Win1809","effect":"NoSchedule"})", false},
      {R"({"key":"pool","operator":"Exists"})", false},
  };
  for (const Case& each : kCases) {
    const test::ParsedJson list('[' + std::string(each.entry) + ']');
    EXPECT_EQ(read(list.array()).tolerates_others({&kKep, &other}), each.is_for_others)
        << each.entry;
  }
}

}  // namespace
}  // namespace winadmit
