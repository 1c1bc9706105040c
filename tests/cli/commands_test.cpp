// The binary without and with a subcommand.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
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

TEST_F(Commands, AreExplainedByHelp) {
  EXPECT_EQ(run("help certs issue").out, run("certs issue --help").out);
  EXPECT_EQ(run("help").out, run("--help").out);
  const Result unknown = run("help chek");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("did you mean check?"), std::string::npos) << unknown.err;
}

TEST_F(Commands, NameAnArgumentThatIsMissingOnce) {
  EXPECT_TRUE(run("explain").err.starts_with("ID-OR-FIELD is required\nUsage: "));
  EXPECT_TRUE(run("completion").err.starts_with("SHELL is required\n"));
}

TEST_F(Commands, AreSuggestedForAWordThatIsNearOne) {
  const Result unknown = run("chek");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_EQ(unknown.err, "winadmit: there is no command 'chek'; did you mean check?\n");
  EXPECT_EQ(run("certs isue -o x").err,
            "winadmit: there is no command 'isue'; did you mean issue?\n");
  EXPECT_EQ(run("nonsense").err, "winadmit: there is no command 'nonsense'\n");
  EXPECT_NE(run("certs").err.find("subcommand is required"), std::string::npos);
}

TEST_F(Commands, HaveTheNameOfAPluginOfKubectl) {
  const auto plugin = folder_ / "kubectl-winadmit";
  std::filesystem::create_symlink(test::binary(), plugin);
  const std::string command = plugin.string() + " check --help >" + (folder_ / "help").string();
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_NE(test::read(folder_ / "help").find("Usage: kubectl winadmit check"), std::string::npos);
}

TEST_F(Commands, PrintTheVersionAsJson) {
  const Result version = run("version");
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_TRUE(nlohmann::json::parse(version.out).contains("version"));
  EXPECT_TRUE(run("--version").out.starts_with("winadmit "));
}

}  // namespace
}  // namespace winadmit
