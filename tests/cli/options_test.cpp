#include "cli/options.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "cli/commands.hpp"

namespace winadmit::cli {
namespace {

TEST(Options, NameTheirEnvironmentVariables) {
  EXPECT_EQ(environment_name("--dev"), "WINADMIT_DEV");
  EXPECT_EQ(environment_name("client-ca"), "WINADMIT_CLIENT_CA");
}

void add_variables(const CLI::App& app, std::set<std::string>& to) {
  for (const CLI::Option* each : app.get_options()) to.insert(each->get_envname());
  for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (each->get_name() != "serve") add_variables(*each, to);
  }
}

TEST(Options, HaveVariablesInServeAndElsewhereOnlyWhatNeitherWritesNorForcesNorForgives) {
  int exit_code = 0;
  CLI::App app;
  add_commands(app, exit_code);
  for (const CLI::Option* each : app.get_subcommand("serve")->get_options()) {
    const bool is_help = each->get_name() == "-h,--help" || each->check_name("--help");
    EXPECT_EQ(each->get_envname().empty(), is_help) << each->get_name();
  }
  std::set<std::string> elsewhere;
  add_variables(app, elsewhere);
  const std::set<std::string> wanted = {"",
                                        "WINADMIT_CONFIG",
                                        "WINADMIT_PLATFORM",
                                        "WINADMIT_KUBERNETES_VERSION",
                                        "WINADMIT_COLOR",
                                        "WINADMIT_NO_PROJECT",
                                        "WINADMIT_IN_CLUSTER",
                                        "WINADMIT_SERVER",
                                        "WINADMIT_TOKEN_FILE",
                                        "WINADMIT_CA_FILE",
                                        "WINADMIT_NAMESPACE"};
  EXPECT_EQ(elsewhere, wanted);
}

TEST(Options, RefuseAnEnvironmentVariableWithAWrongValue) {
  const auto parse_with = [](const char* value) {
    int number = 0;
    CLI::App app;
    app.add_subcommand("serve")->add_option("--tested-number", number)->check(CLI::Range(1, 5));
    add_environment_names(app);
    setenv("WINADMIT_TESTED_NUMBER", value, 1);
    app.parse("serve");
    return number;
  };
  EXPECT_EQ(parse_with("3"), 3);
  EXPECT_EQ(parse_with(""), 0);
  for (const char* wrong : {"0", "6", "many"}) {
    EXPECT_THROW(parse_with(wrong), CLI::ParseError) << wrong;
  }
  unsetenv("WINADMIT_TESTED_NUMBER");
}

TEST(Options, RefuseEmptyValues) {
  std::string value = "default";
  bool flag = false;
  CLI::App app;
  CLI::App* command = app.add_subcommand("run");
  command->add_option("--tested", value);
  command->add_option("POSITIONAL", value);
  command->add_flag("--flag", flag);
  refuse_empty_values(app);
  using Words = std::vector<std::string>;  // CLI11 takes the last word first
  EXPECT_THROW(app.parse(Words{"", "--tested", "run"}), CLI::ParseError);
  EXPECT_THROW(app.parse(Words{"", "run"}), CLI::ParseError);
  app.parse("run --flag --tested a");
  EXPECT_TRUE(flag);
  EXPECT_EQ(value, "a");
}

TEST(Options, TakeDecimalNumbersOnly) {
  EXPECT_EQ(find_number_error("0"), "");
  EXPECT_EQ(find_number_error("100"), "");
  for (const char* wrong : {"0100", "0x10", "-1", "+1", "1.0", "1e3", " 1"}) {
    EXPECT_NE(find_number_error(wrong), "") << wrong;
  }
}

class OutputOption : public testing::Test {
 protected:
  OutputOption() { add_output(app_, output_, {Output::yaml, Output::json}); }

  CLI::App app_;
  Output output_ = Output::yaml;
};

TEST_F(OutputOption, TakesTheFormatsOfItsCommand) {
  app_.parse("-o json");
  EXPECT_EQ(output_, Output::json);
  EXPECT_THROW(app_.parse("-o text"), CLI::ValidationError);
  EXPECT_THROW(app_.parse("-o 1"), CLI::ValidationError) << "numbers are not names";
}

TEST_F(OutputOption, KeepsTheDefault) {
  app_.parse("");
  EXPECT_EQ(output_, Output::yaml);
}

TEST_F(OutputOption, ShowsItsFormatsInHelp) {
  EXPECT_NE(app_.help().find("-o,--output yaml|json"), std::string::npos) << app_.help();
}

TEST(Options, ParseANamespacedName) {
  const NamespacedName parsed = parse_namespaced_name("--service", "winadmit-system/winadmit");
  EXPECT_EQ(parsed.name_space, "winadmit-system");
  EXPECT_EQ(parsed.name, "winadmit");
  for (const char* text : {"", "a", "/a", "a/", "/", "a/b/c", "a/B", "a.b/c", "a/-b"})
    EXPECT_THROW(parse_namespaced_name("--service", text), std::invalid_argument) << text;
}

}  // namespace
}  // namespace winadmit::cli
