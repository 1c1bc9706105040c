#include "cli/terminal/error_line.hpp"

#include <gtest/gtest.h>

#include "manifests/location.hpp"

namespace winadmit::cli {
namespace {

using manifests::Location;

TEST(ErrorLine, BeginsWithTheFileIfThePositionIsKnown) {
  const Location at{.file = "a.yaml", .line = 3, .column = 5};
  EXPECT_EQ(error_line({.what = "bad", .location = at}), "a.yaml:3:5: error: bad");
  EXPECT_EQ(error_line({.what = "a.yaml: bad", .location = {.file = "a.yaml"}}),
            "winadmit: a.yaml: bad");
  EXPECT_EQ(error_line({.what = "\x1b", .location = at}), "a.yaml:3:5: error: \\x1b");
  EXPECT_EQ(error_line({.what = "bad", .location = {.file = "\x1b.yaml", .line = 1, .column = 1}}),
            "\\x1b.yaml:1:1: error: bad");
}

}  // namespace
}  // namespace winadmit::cli
