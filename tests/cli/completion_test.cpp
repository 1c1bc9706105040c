// Completion has what the commands have.
#include "cli/completion.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "cli/commands.hpp"
#include "tests/cli/binary.hpp"
#include "tests/text.hpp"

namespace winadmit::cli {
namespace {

std::vector<CommandInfo> table() {
  int exit_code = 0;
  CLI::App app("", "winadmit");
  add_commands(app, exit_code);
  return command_table(app);
}

TEST(CommandTable, HasCommandsFlagsAndValues) {
  const auto commands = table();
  const auto check = std::ranges::find(commands, "winadmit check", &CommandInfo::path);
  ASSERT_NE(check, commands.end());
  const auto output = std::ranges::find_if(check->flags, [](const FlagInfo& each) {
    return std::ranges::find(each.names, "--output") != each.names.end();
  });
  ASSERT_NE(output, check->flags.end());
  EXPECT_NE(std::ranges::find(output->choices, "sarif"), output->choices.end());
  EXPECT_NE(std::ranges::find(commands, "winadmit certs issue", &CommandInfo::path),
            commands.end());
}

TEST(Completion, NamesEveryCommandAndFlag) {
  const auto commands = table();
  const std::string bash = bash_completion(commands), zsh = zsh_completion(commands),
                    fish = fish_completion(commands);
  for (const CommandInfo& command : commands) {
    EXPECT_NE(bash.find('\'' + command.path + '\''), std::string::npos) << command.path;
    EXPECT_NE(zsh.find('\'' + command.path + '\''), std::string::npos) << command.path;
    for (const FlagInfo& flag : command.flags) {
      const std::string& name = flag.names.back();
      EXPECT_NE(bash.find(name), std::string::npos) << name;
      EXPECT_NE(zsh.find('\'' + name + ':'), std::string::npos) << name;
      const std::string option = name.starts_with("--") ? " -l " + name.substr(2) : " -s ";
      EXPECT_NE(fish.find(option), std::string::npos) << name;
    }
  }
}

class CompletionInBash : public test::Binary {
 protected:
  /// What bash offers for the words, of which the last one is being typed.
  std::string offered(const std::string& words) const {
    const std::string script =
        "source <(" + test::binary() + " completion bash); COMP_WORDS=(" + words +
        "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _winadmit; IFS=\"|\"; echo \"${COMPREPLY[*]}\"";
    const auto out = folder_ / "offered";
    const std::string command =
        "cd " + folder_.path().string() + " && bash -c '" + script + "' >" + out.string() + " 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0);
    return test::read(out);
  }
};

TEST_F(CompletionInBash, OffersCommandsFlagsAndValues) {
  EXPECT_EQ(offered("winadmit che"), "check\n");
  EXPECT_EQ(offered("winadmit certs is"), "issue\n");
  EXPECT_EQ(offered("winadmit check --fail"), "--fail-on\n");
  EXPECT_EQ(offered("winadmit check --fail-on w"), "warn\n");
  EXPECT_EQ(offered("winadmit check -R -o sa"), "sarif\n");
  EXPECT_EQ(offered("winadmit fix --fail"), "\n");
  EXPECT_EQ(offered("winadmit completion f"), "fish\n");
  EXPECT_EQ(offered("winadmit help certs is"), "issue\n");
  EXPECT_EQ(offered("winadmit help check --f"), "\n") << "help shows a command, and runs none";
  EXPECT_EQ(offered("winadmit review --path /validate/w"),
            "/validate/warn|/validate/warn/default-windows\n");
  // Bash makes words of both sides of the sign and of the sign itself.
  EXPECT_EQ(offered("winadmit check --platform = g"), "gke\n");
  EXPECT_EQ(offered("winadmit check --platform ="),
            "kep|kubernetes|eks|gke|openshift|aks|rke2|any\n");
}

TEST_F(CompletionInBash, OffersFilesOnlyWhereFilesAreMeant) {
  write("pod.yaml", "");
  const std::string files = offered("winadmit check \"\"");
  EXPECT_TRUE(test::contains(files, "pod.yaml")) << files;
  EXPECT_FALSE(test::contains(files, "-")) << files;
  EXPECT_EQ(offered("winadmit check -- --f"), "\n") << "no flag follows --";
  EXPECT_EQ(offered("winadmit review po"), "pod.yaml\n");
  EXPECT_EQ(offered("winadmit certs show po"), "pod.yaml\n");
  EXPECT_EQ(offered("winadmit explain pod-res"), "pod-resources|pod-resize\n");
  EXPECT_EQ(offered("winadmit version po"), "\n");
}

TEST_F(CompletionInBash, TakesACommandOrAValueForNoFile) {
  const std::string script = bash_completion(table());
  EXPECT_FALSE(test::contains(script, "complete -o filenames"));
  EXPECT_TRUE(test::contains(script, "compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY"));
}

TEST_F(CompletionInBash, OffersFoldersWhereAFolderIsMeant) {
  write("pair.crt", "");
  std::filesystem::create_directory(folder_ / "pairs");
  EXPECT_EQ(offered("winadmit certs issue --out pa"), "pairs\n");
  EXPECT_EQ(offered("winadmit certs show --secret-dir pa"), "pairs\n");
  EXPECT_EQ(offered("winadmit certs issue --ca-cert pair."), "pair.crt\n");
  write("pair of a.crt", "");
  EXPECT_EQ(offered("winadmit check \"pair of\""), "pair of a.crt\n");
  EXPECT_EQ(offered("winadmit check -f pair."), "pair.crt\n");
  EXPECT_EQ(offered("winadmit fix --filename pair."), "pair.crt\n");
}

class CompletionInOtherShells : public test::Binary {
 protected:
  /// What a command prints that has this build of winadmit in its PATH.
  std::string printed(const std::string& command) const {
    const std::string folder = std::filesystem::path(test::binary()).parent_path().string();
    const auto out = folder_ / "printed";
    const std::string line = "cd " + folder_.path().string() + " && PATH=" + folder +
                             ":$PATH timeout 60 " + command + " >" + out.string() + " 2>&1";
    EXPECT_EQ(std::system(line.c_str()), 0) << test::read(out);
    return test::read(out);
  }
};

TEST_F(CompletionInOtherShells, ZshCompletesCommandsFlagsAndValues) {
  if (!test::has_terminal()) GTEST_SKIP() << "no pseudo-terminal";
  write("pod.yaml", "");
  write("pair.crt", "");
  std::filesystem::create_directory(folder_ / "pairs");
  const std::string script = test::source("tests/cli/complete.zsh").string();
  EXPECT_EQ(
      printed("zsh -f " + script +
              " 'winadmit che' 'winadmit certs is' 'winadmit check --fail' "
              "'winadmit check --fail-on w' 'winadmit check -R -o sa' 'winadmit fix --fail' "
              "'winadmit check po' 'winadmit completion f' 'winadmit help certs is' "
              "'winadmit certs issue --out pa' 'winadmit check -f po' "
              "'winadmit check --platform=g' 'winadmit explain host-i' 'winadmit version po'"),
      "winadmit check \n"
      "winadmit certs issue \n"
      "winadmit check --fail-on \n"
      "winadmit check --fail-on warn \n"
      "winadmit check -R -o sarif \n"
      "winadmit fix --fail\n"
      "winadmit check pod.yaml \n"
      "winadmit completion fish \n"
      "winadmit help certs issue \n"
      "winadmit certs issue --out pairs/\n"
      "winadmit check -f pod.yaml \n"
      "winadmit check --platform=gke \n"
      "winadmit explain host-ipc \n"
      "winadmit version po\n");
}

TEST_F(CompletionInOtherShells, FishCompletesCommandsFlagsAndValues) {
  write("pod.yaml", "");
  write("pair.crt", "");
  std::filesystem::create_directory(folder_ / "pairs");
  const auto offered = [&](const std::string& words) {
    const std::string text = printed(
        "fish --no-config -c 'winadmit completion fish | source; complete -C \"" + words + "\"'");
    return text.substr(0, text.find_first_of("\t\n"));
  };
  EXPECT_EQ(offered("winadmit che"), "check");
  EXPECT_EQ(offered("winadmit certs is"), "issue");
  EXPECT_EQ(offered("winadmit check --fail"), "--fail-on");
  EXPECT_EQ(offered("winadmit check --fail-on w"), "warn");
  EXPECT_EQ(offered("winadmit check -R -o sa"), "sarif");
  EXPECT_EQ(offered("winadmit check -f po"), "pod.yaml");
  EXPECT_EQ(offered("winadmit check --platform=g"), "--platform=gke");
  EXPECT_EQ(offered("winadmit fix --fail"), "");
  EXPECT_EQ(offered("winadmit check po"), "pod.yaml");
  EXPECT_EQ(offered("winadmit completion f"), "fish");
  EXPECT_EQ(offered("winadmit help certs is"), "issue");
  EXPECT_EQ(offered("winadmit certs issue --out pa"), "pairs/");
  EXPECT_EQ(offered("winadmit explain host-p"), "host-pid");
  EXPECT_EQ(offered("winadmit version po"), "");
}

TEST_F(CompletionInOtherShells, FishCompletesThePluginOfKubectl) {
  EXPECT_EQ(printed("fish --no-config -c 'winadmit completion fish | source; complete -C "
                    "\"kubectl-winadmit completion f\"'"),
            "fish\n");
}

}  // namespace
}  // namespace winadmit::cli
