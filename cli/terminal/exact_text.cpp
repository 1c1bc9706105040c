#include "cli/terminal/exact_text.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <string>

#include "bytes/error.hpp"
#include "text/log_commands.hpp"

namespace winadmit::cli {
namespace {

/// The variables of GitHub and its like, GitLab, Azure Pipelines and TeamCity.
bool is_in_ci() {
  constexpr auto kVariables = std::to_array<const char*>(
      {"CI", "GITHUB_ACTIONS", "GITLAB_CI", "TF_BUILD", "TEAMCITY_VERSION"});
  return std::ranges::any_of(kVariables, [](const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr && *value != '\0';
  });
}

/// A pipe may lead to the next command, or to the log.
bool may_be_log_of_ci() {
  struct stat status{};
  return is_in_ci() && !(fstat(STDOUT_FILENO, &status) == 0 && S_ISREG(status.st_mode));
}

}  // namespace

void print_exact(std::string_view text) {
  if (const std::size_t line = find_log_command(text); line > 0 && may_be_log_of_ci()) {
    throw Error("line " + std::to_string(line) +
                " of what would be printed is a command for the log of CI, so it is not printed; "
                "redirect standard output to a file");
  }
  std::cout << text;
}

}  // namespace winadmit::cli
