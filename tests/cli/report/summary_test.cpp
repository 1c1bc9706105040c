#include "cli/report/summary.hpp"

#include <gtest/gtest.h>

namespace winadmit::cli {
namespace {

TEST(Summary, CountsTheMostFrequentFirst) {
  EXPECT_EQ(to_string(Counts{{"a", 1}, {"b", 3}, {"c", 1}}), "3 b, 1 a, 1 c");
}

TEST(Summary, NamesTheFirstNamespacesThatAreNotChecked) {
  Summary summary;
  for (char each = 'a'; each < 'm'; ++each) summary.excluded_objects[{each}] = 2;
  EXPECT_EQ(summary_lines(summary),
            std::vector<std::string>{"24 objects in namespaces that winadmit does not check: "
                                     "a, b, c, d, e, f, g, h, i, j, 2 others"});
}

}  // namespace
}  // namespace winadmit::cli
