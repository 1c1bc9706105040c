#include "policy/rules/version.hpp"

#include <gtest/gtest.h>

namespace winadmit {
namespace {

TEST(Version, ParsesWhatClustersReport) {
  for (const char* reported : {"v1.30.4-gke.1348000", "v1.30.4-eks-adc7111", "v1.30.4+k3s1",
                               "v1.30.4+rke2r1", "v1.30.4-rc.1+a.b", "1.30+"}) {
    EXPECT_EQ(parse_version(reported), (Version{1, 30})) << reported;
  }
  for (const char* bad : {"1.30.4-", "1.30.4+", "1.30.4 -a", "1.30.4-a b", "1.30.4-a/b", "1.30++"})
    EXPECT_EQ(parse_version(bad), std::nullopt) << bad;
}

TEST(Version, ParsesMinorAndPatchReleasesOnly) {
  EXPECT_EQ(parse_version("1.34"), (Version{1, 34}));
  EXPECT_EQ(parse_version("v1.34.4"), (Version{1, 34}));
  for (const char* bad :
       {"", "1", "1.", ".34", "v", "1.34.", "1.34.x", "1.34-rc.1", " 1.34", "1.34 ", "-1.34",
        "1.-34", "1.-0", "-0.34", "1.34.-0", "one", "1.99999999999"}) {
    EXPECT_EQ(parse_version(bad), std::nullopt) << bad;
  }
}

TEST(Version, RangesIncludeBothEnds) {
  EXPECT_TRUE(since(1, 24).contains({1, 24}));
  EXPECT_FALSE(since(1, 24).contains({1, 23}));
  EXPECT_TRUE(between({1, 14}, {1, 19}).contains({1, 19}));
  EXPECT_FALSE(between({1, 14}, {1, 19}).contains({1, 20}));
  EXPECT_FALSE(between({1, 14}, {1, 19}).overlaps(since(1, 20)));
  EXPECT_TRUE(between({1, 14}, {1, 19}).overlaps(since(1, 19)));
  EXPECT_TRUE(since(1, 19).overlaps(between({1, 14}, {1, 19})));
  EXPECT_EQ(to_string(since(1, 22)), "1.22+");
  EXPECT_EQ(to_string(between({1, 14}, {1, 19})), "1.14-1.19");
  EXPECT_EQ(to_string(between({1, 14}, {1, 14})), "1.14");
}

}  // namespace
}  // namespace winadmit
