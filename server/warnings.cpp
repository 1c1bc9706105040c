#include "server/warnings.hpp"

#include <algorithm>

namespace winadmit::server {
namespace {

/// Cuts a UTF-8 text to at most `size` bytes, not inside of a character.
void cut(std::string& text, std::size_t size) {
  if (text.size() <= size) return;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) --size;
  text.resize(size);
}

std::string to_warning(const Finding& finding) {
  std::string message = finding.message();
  if (message.size() <= kWarningLimit) return message;
  const std::string id = "... (" + std::string(finding.id) + ')';
  cut(message, kWarningLimit - id.size());
  return message + id;
}

std::string count_of_rest(std::size_t rest) {
  return "and " + std::to_string(rest) + (rest == 1 ? " more warning" : " more warnings") +
         " of winadmit";
}

}  // namespace

std::vector<std::string> to_warnings(const std::vector<Finding>& findings) {
  std::vector<std::string> warnings;
  std::size_t total = 0;
  const std::size_t reserve = count_of_rest(findings.size()).size();
  for (const Finding& finding : findings) {
    std::string warning = to_warning(finding);
    const bool is_last = warnings.size() + 1 == findings.size();
    if (total + warning.size() + (is_last ? 0 : reserve) > kWarningsLimit) {
      warnings.push_back(count_of_rest(findings.size() - warnings.size()));
      break;
    }
    total += warning.size();
    warnings.push_back(std::move(warning));
  }
  return warnings;
}

}  // namespace winadmit::server
