#include "manifests/input.hpp"

#include <gtest/gtest.h>

#include <iostream>
#include <sstream>

#include "tests/temporary_folder.hpp"

namespace winadmit::manifests {
namespace {

TEST(Input, ReadsAFile) {
  const test::TemporaryFolder folder;
  const std::string text("kind: Pod\r\n\0end", 15);
  EXPECT_EQ(read_input(folder.write("pod.yaml", text)), text);
  EXPECT_THROW(read_input(folder / "missing.yaml"), std::runtime_error);
}

TEST(Input, ReadsStandardInput) {
  std::istringstream input("kind: Pod\n");
  std::streambuf* const original = std::cin.rdbuf(input.rdbuf());
  EXPECT_EQ(read_input("-"), "kind: Pod\n");
  std::cin.rdbuf(original);
}

}  // namespace
}  // namespace winadmit::manifests
