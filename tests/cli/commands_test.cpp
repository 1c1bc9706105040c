// The binary without and with a subcommand.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/binary.hpp"

namespace winadmit {
namespace {

using test::Result;

class Commands : public test::Binary {};

TEST_F(Commands, NeedASubcommand) {
  EXPECT_EQ(run("").exit_code, 2);
  EXPECT_EQ(run("nonsense").exit_code, 2);
  EXPECT_EQ(run("--help").exit_code, 0);
  EXPECT_EQ(run("serve --help").exit_code, 0);
  EXPECT_NE(run("--nonsense").err, "");
}

TEST_F(Commands, PrintTheVersionAsJson) {
  const Result version = run("version");
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_TRUE(nlohmann::json::parse(version.out).contains("version"));
}

}  // namespace
}  // namespace winadmit
