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
  Left left() const { return what_is_left(all_); }

 private:
  test::ParsedJson parsed_;
  std::vector<Requirement> all_;
};

TEST(Requirement, LeavesTheValuesThatEachInListsAndNoNotInDoes) {
  const Requirements several(R"([
    {"operator": "NotIn", "values": ["a"]},
    {"operator": "In", "values": ["a", "b", "c", "d", "e"]},
    {"operator": "In", "values": ["e", "d", "c", "a"]},
    {"operator": "NotIn", "values": ["d", "x"]},
    {"operator": "In", "values": ["c", "e", "d", "y"]}])");
  EXPECT_TRUE(several.left().anything);
  EXPECT_EQ(several.left().values, (Values{"c", "e"}));
}

TEST(Requirement, NamesAValueOnce) {
  const Requirements repeated(R"([{"operator": "In", "values": ["b", "a", "b", "b", "a"]}])");
  EXPECT_EQ(repeated.left().values, (Values{"b", "a"}));
}

TEST(Requirement, LeavesNothingWhereTwoInShareNoValue) {
  const Requirements apart(R"([{"operator": "In", "values": ["a", "b"]},
                               {"operator": "In", "values": ["c"]}])");
  EXPECT_FALSE(apart.left().anything);
}

TEST(Requirement, LeavesTheValuesWithinARange) {
  const Requirements range(R"([{"operator": "In", "values": ["1", "2", "3", "4", "x"]},
                               {"operator": "Gt", "values": ["1"]},
                               {"operator": "Lt", "values": ["4"]}])");
  EXPECT_EQ(range.left().values, (Values{"2", "3"}));
}

TEST(Requirement, LeavesAnythingWithoutAnInOrWhereTheKeyMayBeMissing) {
  for (const char* const open :
       {R"([{"operator": "NotIn", "values": ["a"]}])", R"([{"operator": "Exists"}])",
        R"([{"operator": "DoesNotExist"}])", R"([{"operator": "Gt", "values": ["1"]}])"}) {
    EXPECT_TRUE(Requirements(open).left().anything) << open;
    EXPECT_EQ(Requirements(open).left().values, Values{}) << open;
  }
}

TEST(Requirement, LeavesNothingWhereTheKeyMustBeThereAndMustNot) {
  for (const char* const other :
       {R"({"operator": "Exists"})", R"({"operator": "In", "values": ["a"]})",
        R"({"operator": "Gt", "values": ["1"]})", R"({"operator": "Lt", "values": ["1"]})"}) {
    const std::string both = R"([{"operator": "DoesNotExist"},)" + std::string(other) + ']';
    EXPECT_FALSE(Requirements(both).left().anything) << both;
  }
}

TEST(Requirement, IsNeverMetByABoundThatIsNoIntegerOrLeavesNone) {
  for (const char* const bounds :
       {R"([{"operator": "Gt", "values": ["x"]}])", R"([{"operator": "Gt"}])",
        R"([{"operator": "Gt", "values": ["+-1"]}])",
        R"([{"operator": "Gt", "values": ["9223372036854775807"]}])",
        R"([{"operator": "Lt", "values": ["-9223372036854775808"]}])",
        R"([{"operator": "Gt", "values": ["4"]}, {"operator": "Lt", "values": ["5"]}])"}) {
    EXPECT_FALSE(Requirements(bounds).left().anything) << bounds;
  }
  EXPECT_TRUE(Requirements(R"([{"operator": "Gt", "values": ["+4"]}])").left().anything);
}

}  // namespace
}  // namespace winadmit
