// What runners of CI do with the lines of a job, written from their sources apart from ours.
#pragma once

#include <sstream>
#include <string>
#include <string_view>

namespace winadmit::test {

/// Char.IsWhiteSpace of .NET, in UTF-8.
inline std::size_t white_space_at(std::string_view text) {
  if (text.empty()) return 0;
  const auto c = static_cast<unsigned char>(text[0]);
  if (c == ' ' || (c >= 9 && c <= 13)) return 1;
  for (const std::string_view wide : {"\u0085", "\u00A0"})
    if (text.starts_with(wide)) return wide.size();
  if (text.size() < 3) return 0;
  const unsigned code = (c & 0x0FU) << 12U | (static_cast<unsigned char>(text[1]) & 0x3FU) << 6U |
                        (static_cast<unsigned char>(text[2]) & 0x3FU);
  const bool is_space = (c & 0xF0U) == 0xE0U &&
                        (code == 0x1680 || (code >= 0x2000 && code <= 0x200A) || code == 0x2028 ||
                         code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000 ||
                         code == 0xFEFF);  // the last is read as a byte order mark
  return is_space ? 3 : 0;
}

/// ActionCommand.TryParseV2 and TryParse of actions/runner, for any name of a command: a job may
/// register one. TrimStart, then "::", a name, and "::" after it; or "##[", a name and "]".
inline bool obeys_github(std::string_view line) {
  while (const std::size_t size = white_space_at(line)) line.remove_prefix(size);
  if (line.starts_with("::") && line.find("::", 2) != line.npos) return true;
  const std::size_t prefix = line.find("##[");
  return prefix != line.npos && line.find(']', prefix) != line.npos;
}

/// "##vso[" of the agent of Azure Pipelines and "##teamcity[" are found anywhere, too.
inline bool obeys_others(std::string_view line) {
  return line.find("##vso[") != line.npos || line.find("##teamcity[") != line.npos;
}

/// The first line that a runner would obey, or that has a control character, as a section or a
/// color of GitLab needs; "" if there is none. Lines end as for StreamReader.ReadLine of .NET.
/// `is_ours`: what winadmit itself means as a command, as `-o github` does.
inline std::string obeyed_line(const std::string& log, bool (*is_ours)(const std::string&)) {
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    const bool has_control = std::string_view(line).find_first_of(
                                 std::string_view("\x1b\r\b\v\f\0\x7f", 7)) != line.npos;
    if (has_control || (!is_ours(line) && (obeys_github(line) || obeys_others(line)))) return line;
  }
  return {};
}

inline std::string obeyed_line(const std::string& log) {
  return obeyed_line(log, [](const std::string&) { return false; });
}

/// Whether a line is one command of `-o github`: with the message last, in which nothing is
/// parsed, and no second command in its properties.
inline bool is_annotation(const std::string& line) {
  for (const std::string_view begin : {"::error ", "::warning "}) {
    if (!line.starts_with(begin)) continue;
    const std::string_view rest = std::string_view(line).substr(begin.size());
    const std::string_view properties = rest.substr(0, rest.find("::"));
    return rest.find("::") != rest.npos && properties.find(':') == properties.npos &&
           !obeys_others(line) && line.find("##[") == line.npos;
  }
  return false;
}

}  // namespace winadmit::test
