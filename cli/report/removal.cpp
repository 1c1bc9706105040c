#include "cli/report/removal.hpp"

#include <regex>

#include "policy/rules/rule.hpp"

namespace winadmit::cli {
namespace {

std::size_t indentation(const std::string& line) { return line.find_first_not_of(' '); }

/// A key with a plain or quoted value that ends in the line: no block, anchor, alias or flow.
bool is_key_with_scalar(const std::string& line) {
  static const std::regex kForm(
      R"( *[A-Za-z]+: +([A-Za-z0-9_./-][^#"'{}\[\]&*|>%@`]*|"[^"\\]*"|'[^']*') *(#.*)?\r?)");
  constexpr std::size_t kLongest = 500;  // std::regex is recursive
  return line.size() <= kLongest && std::regex_match(line, kForm);
}

}  // namespace

bool Removal::takes_one_line(const ManifestFinding& finding) {
  const auto& at = finding.location;
  if (!is_removable(finding.rule) || !finding.instead.starts_with("remove it")) return false;
  const std::string line = lines_.line(at);
  if (at.column < 1 || indentation(line) + 1 != static_cast<std::size_t>(at.column)) return false;
  const std::string key = finding.field.substr(finding.field.rfind('.') + 1);
  if (!is_key_with_scalar(line) || line.compare(indentation(line), key.size() + 1, key + ':') != 0)
    return false;
  // A plain value goes on in the next line if that is indented more.
  const std::string next = lines_.line(at.file, at.line + 1);
  return indentation(next) == std::string::npos || indentation(next) <= indentation(line);
}

}  // namespace winadmit::cli
