#include "cli/report/summary.hpp"

#include <gtest/gtest.h>

namespace winadmit::cli {
namespace {

TEST(Summary, CountsTheMostFrequentFirst) {
  EXPECT_EQ(to_string(Counts{{"a", 1}, {"b", 3}, {"c", 1}}), "3 b, 1 a, 1 c");
}

}  // namespace
}  // namespace winadmit::cli
