#include "text/similar.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace winadmit {
namespace {

TEST(Similar, CountsEdits) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("pod", ""), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("HostPID", "hostpid"), 0U) << "case does not count";
}

TEST(Similar, FindsTheNearestWord) {
  constexpr auto kIds = std::to_array<std::string_view>({"host-ipc", "host-pid", "hugepages"});
  EXPECT_EQ(find_similar("host-pit", kIds), "host-pid");
  EXPECT_EQ(find_similar("Host-IPC", kIds), "host-ipc");
  EXPECT_EQ(find_similar("huge", kIds), "hugepages") << "the start of a word";
  EXPECT_EQ(find_similar("privileged", kIds), "");
  EXPECT_EQ(find_similar(std::string(5000, 'h'), kIds), "") << "not worth the time";
}

}  // namespace
}  // namespace winadmit
