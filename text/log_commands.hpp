// Lines that a CI system obeys when it reads them in the log of a job: workflow commands of GitHub
// Actions (and Gitea and Forgejo), logging commands of Azure Pipelines, service messages of
// TeamCity, sections and colors of GitLab.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace winadmit {

/// The text with `escape` for the bracket of each "##[", "##vso[" or "##teamcity[". Runners look
/// for these anywhere in a line.
std::string escape_command_brackets(std::string text, std::string_view escape);

/// Whether the line begins with "::", after white space of any kind.
bool begins_with_command(std::string_view line);

/// The first line, counted from 1, that a CI system would obey; 0 if there is none. A carriage
/// return ends a line, too.
std::size_t find_log_command(std::string_view text);

}  // namespace winadmit
