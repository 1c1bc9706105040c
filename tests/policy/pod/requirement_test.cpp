#include "policy/pod/requirement.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/policy/parsed.hpp"

namespace winadmit {
namespace {

using Values = std::vector<std::string_view>;

/// Requirements on one key, from [{"operator": ..., "values": [...]}, ...].
class Requirements {
 public:
  explicit Requirements(const std::string& entries) : parsed_(entries) {
    for (const JsonValue entry : parsed_.array()) {
      Requirement& one = all_.emplace_back();
      one.key = "key";
      std::string_view op;
      if (entry["operator"].get(op) == simdjson::SUCCESS) one.op = op;
      JsonArray values;
      if (entry["values"].get(values) == simdjson::SUCCESS) one.values = values;
    }
  }
  AllowedValues allowed() const { return find_allowed_values(all_); }

 private:
  test::ParsedJson parsed_;
  std::vector<Requirement> all_;
};

TEST(Requirement, AllowsTheValuesOfEveryInThatNoNotInLists) {
  const Requirements several(R"([
    {"operator": "NotIn", "values": ["a"]},
    {"operator": "In", "values": ["a", "b", "c", "d", "e"]},
    {"operator": "In", "values": ["e", "d", "c", "a"]},
    {"operator": "NotIn", "values": ["d", "x"]},
    {"operator": "In", "values": ["c", "e", "d", "y"]}])");
  EXPECT_TRUE(several.allowed().is_satisfiable);
  EXPECT_EQ(several.allowed().values, (Values{"c", "e"}));
}

TEST(Requirement, AllowsAValueOnce) {
  const Requirements repeated(R"([{"operator": "In", "values": ["b", "a", "b", "b", "a"]}])");
  EXPECT_EQ(repeated.allowed().values, (Values{"b", "a"}));
}

TEST(Requirement, IsNotSatisfiableIfTwoInShareNoValue) {
  const Requirements apart(R"([{"operator": "In", "values": ["a", "b"]},
                               {"operator": "In", "values": ["c"]}])");
  EXPECT_FALSE(apart.allowed().is_satisfiable);
}

TEST(Requirement, AllowsTheValuesWithinARange) {
  const Requirements range(R"([{"operator": "In", "values": ["1", "2", "3", "4", "x"]},
                               {"operator": "Gt", "values": ["1"]},
                               {"operator": "Lt", "values": ["4"]}])");
  EXPECT_EQ(range.allowed().values, (Values{"2", "3"}));
}

TEST(Requirement, AllowsAnyValueWithoutAnIn) {
  for (const char* const open :
       {R"([{"operator": "NotIn", "values": ["a"]}])", R"([{"operator": "Exists"}])",
        R"([{"operator": "DoesNotExist"}])", R"([{"operator": "Gt", "values": ["1"]}])"}) {
    EXPECT_TRUE(Requirements(open).allowed().is_satisfiable) << open;
    EXPECT_EQ(Requirements(open).allowed().values, Values{}) << open;
  }
}

TEST(Requirement, IsNotSatisfiableIfTheKeyMustBePresentAndAbsent) {
  for (const char* const other :
       {R"({"operator": "Exists"})", R"({"operator": "In", "values": ["a"]})",
        R"({"operator": "Gt", "values": ["1"]})", R"({"operator": "Lt", "values": ["1"]})"}) {
    const std::string both = R"([{"operator": "DoesNotExist"},)" + std::string(other) + ']';
    EXPECT_FALSE(Requirements(both).allowed().is_satisfiable) << both;
  }
}

TEST(Requirement, IsNotSatisfiableByABoundThatAllowsNoInteger) {
  for (const char* const bounds :
       {R"([{"operator": "Gt", "values": ["x"]}])", R"([{"operator": "Gt"}])",
        R"([{"operator": "Gt", "values": ["+-1"]}])",
        R"([{"operator": "Gt", "values": ["9223372036854775807"]}])",
        R"([{"operator": "Lt", "values": ["-9223372036854775808"]}])",
        R"([{"operator": "Gt", "values": ["4"]}, {"operator": "Lt", "values": ["5"]}])"}) {
    EXPECT_FALSE(Requirements(bounds).allowed().is_satisfiable) << bounds;
  }
  EXPECT_TRUE(Requirements(R"([{"operator": "Gt", "values": ["+4"]}])").allowed().is_satisfiable);
}

}  // namespace
}  // namespace winadmit
