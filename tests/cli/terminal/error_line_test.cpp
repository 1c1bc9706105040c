#include "cli/terminal/error_line.hpp"

#include <gtest/gtest.h>

namespace winadmit::cli {
namespace {

using manifests::Location;

TEST(ErrorLine, BeginsWithThePlaceIfTheErrorNamesIt) {
  const Location at{.file = "a.yaml", .line = 3, .column = 5};
  EXPECT_EQ(error_line({.line = "a.yaml:3:5: bad", .location = at}), "a.yaml:3:5: error: bad");
  EXPECT_EQ(error_line({.line = "cannot read a.yaml", .location = at}),
            "winadmit: cannot read a.yaml");
  EXPECT_EQ(error_line({.line = "a.yaml: bad", .location = {.file = "a.yaml"}}),
            "winadmit: a.yaml: bad");
  EXPECT_EQ(error_line({.line = "a.yaml:3:5: \x1b", .location = at}).find('\x1b'),
            std::string::npos);
}

}  // namespace
}  // namespace winadmit::cli
