// Completion offers what the commands have.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "tests/cli/binary.hpp"
#include "tests/text.hpp"

namespace winadmit::cli {
namespace {

/// What is offered for the words, the last of which is being typed.
std::string offered_for(std::vector<std::string> words) {
  int exit_code = 0;
  CLI::App app("", "winadmit");
  add_commands(app, exit_code);
  return complete(app, std::move(words));
}

void expect_every_flag(const CLI::App& command, const std::vector<std::string>& path) {
  std::vector<std::string> words = path;
  words.emplace_back("-");
  const std::string flags = '\n' + offered_for(words);
  for (const CLI::Option* option : command.get_options()) {
    const FlagInfo flag = flag_of(*option);
    for (const std::string& name : flag.names)
      EXPECT_TRUE(test::contains(flags, '\n' + name + '\t' + flag.description + '\n')) << name;
  }
  words.back().clear();
  const std::string commands = '\n' + offered_for(words);
  for (const CLI::App* each : command.get_subcommands([](const CLI::App*) { return true; })) {
    EXPECT_TRUE(
        test::contains(commands, '\n' + each->get_name() + '\t' + each->get_description() + '\n'))
        << each->get_name();
    words.back() = each->get_name();
    expect_every_flag(*each, words);
  }
}

TEST(Completion, OffersEveryCommandAndFlagWithItsDescription) {
  int exit_code = 0;
  CLI::App app("", "winadmit");
  add_commands(app, exit_code);
  expect_every_flag(app, {});
}

TEST(Completion, OffersTheValuesOfAFlagInAnyForm) {
  const std::string platforms = offered_for({"check", "--platform", ""});
  EXPECT_TRUE(test::contains(platforms, "gke\n")) << platforms;
  EXPECT_EQ(offered_for({"check", "--platform=g"}), platforms);
  EXPECT_EQ(offered_for({"check", "--platform", "=", "g"}), platforms) << "as bash splits it";
  EXPECT_EQ(offered_for({"check", "--platform", "="}), platforms);
  EXPECT_EQ(offered_for({"check", "--platform=gke", ""}), ":files\n");
  EXPECT_EQ(offered_for({"check", "--", "--platform="}), ":files\n");
  EXPECT_EQ(offered_for({"check", "--nothing=x", ""}), ":files\n");
  EXPECT_EQ(offered_for({"check", "-R", ""}), ":files\n") << "a switch takes no value";
  EXPECT_EQ(offered_for({"serve", "--port", ""}), "");
}

TEST(Completion, OffersNothingOfItself) {
  EXPECT_FALSE(test::contains(offered_for({""}), "__complete"));
  EXPECT_FALSE(test::contains(offered_for({"help", ""}), "help"));
  EXPECT_EQ(offered_for({}), offered_for({""}));
}

class CompletionInShells : public test::Binary {
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

class CompletionInBash : public CompletionInShells {
 protected:
  /// What bash offers for the words, of which the last one is being typed.
  std::string offered(const std::string& words, const std::string& before = "") const {
    return printed("bash -c 'source <(winadmit completion bash); " + before + " COMP_WORDS=(" +
                   words +
                   "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _winadmit; IFS=\"|\"; "
                   "echo \"${COMPREPLY[*]}\"'");
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
  std::filesystem::create_directory(folder_ / "check");
  EXPECT_EQ(offered("winadmit che", "compopt() { echo files; };"), "check\n");
  EXPECT_EQ(offered("winadmit check che", "compopt() { echo files; };"), "files\ncheck\n");
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

TEST_F(CompletionInShells, ZshCompletesCommandsFlagsAndValues) {
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

TEST_F(CompletionInShells, FishCompletesCommandsFlagsAndValues) {
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
  EXPECT_EQ(offered("winadmit explain host-pi"), "host-pid");
  EXPECT_EQ(offered("winadmit version po"), "");
}

TEST_F(CompletionInShells, FishCompletesThePluginOfKubectl) {
  std::filesystem::create_symlink(test::binary(), folder_ / "kubectl-winadmit");
  EXPECT_EQ(printed("fish --no-config -c 'winadmit completion fish | source; complete -C "
                    "\"./kubectl-winadmit completion f\"'"),
            "fish\n");
}

}  // namespace
}  // namespace winadmit::cli
