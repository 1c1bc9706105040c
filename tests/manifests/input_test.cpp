#include "manifests/input.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/temporary_folder.hpp"

namespace winadmit::manifests {
namespace {

TEST(Input, ReadsAFile) {
  const test::TemporaryFolder folder;
  const std::string text("kind: Pod\r\n\0end", 15);
  EXPECT_EQ(read_input(folder.write("pod.yaml", text), 100), text);
  EXPECT_THROW(read_input(folder / "missing.yaml", 100), std::runtime_error);
}

TEST(Input, RefusesALargerFile) {
  try {
    read_input("/dev/zero", 100);
    ADD_FAILURE() << "it has no end";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "/dev/zero is larger than 100 bytes");
  }
}

}  // namespace
}  // namespace winadmit::manifests
