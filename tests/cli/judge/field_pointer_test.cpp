#include "cli/judge/field_pointer.hpp"

#include <gtest/gtest.h>

namespace winadmit::cli {
namespace {

TEST(FieldPointer, FollowsMembersListsAndKeys) {
  const auto object = nlohmann::json::parse(
      R"({"spec": {"containers": [{}, {"image": 1}]}, "metadata": {"annotations": {"a.b/c": 1}}})");
  EXPECT_EQ(find_pointer(object, "spec.containers[1].image"), "/spec/containers/1/image");
  EXPECT_EQ(find_pointer(object, "metadata.annotations[a.b/c]"), "/metadata/annotations/a.b~1c");
  EXPECT_EQ(find_pointer(object, ""), "");
  for (const char* missing : {"spec.os", "spec.containers[2]", "spec.containers[x]", "spec[0]",
                              "spec.containers[1].image.name", "metadata.annotations[d]"}) {
    EXPECT_EQ(find_pointer(object, missing), std::nullopt) << missing;
  }
}

}  // namespace
}  // namespace winadmit::cli
