#include "policy/judge/patch.hpp"

#include <gtest/gtest.h>

namespace winadmit {
namespace {

TEST(Patch, SetsSpecOsInAPodAndInATemplate) {
  EXPECT_TRUE(sets_spec_os({{"add", "/spec/os", R"({"name":"windows"})"}}));
  EXPECT_TRUE(sets_spec_os({{"add", "/spec/template/spec/os", R"({"name":"windows"})"}}));
}

TEST(Patch, ANodeSelectorNamedOsIsNotSpecOs) {
  EXPECT_FALSE(sets_spec_os({{"add", "/spec/nodeSelector/os", R"("windows")"}}));
  EXPECT_FALSE(sets_spec_os({}));
}

}  // namespace
}  // namespace winadmit
