#include "cli/terminal/error_line.hpp"

#include <gtest/gtest.h>

namespace winadmit::cli {
namespace {

using manifests::Location;

TEST(ErrorLine, BeginsWithTheFileIfThePositionIsKnown) {
  const Location at{.file = "a.yaml", .line = 3, .column = 5};
  EXPECT_EQ(error_line({.what = "bad", .location = at}), "a.yaml:3:5: error: bad");
  EXPECT_EQ(error_line({.what = "a.yaml: bad", .location = {.file = "a.yaml"}}),
            "winadmit: a.yaml: bad");
  EXPECT_EQ(error_line({.what = "\x1b", .location = at}).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace winadmit::cli
