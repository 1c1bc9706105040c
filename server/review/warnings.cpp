#include "server/review/warnings.hpp"

#include <algorithm>
#include <string_view>

#include "policy/json/text.hpp"

namespace winadmit::server {
namespace {

/// More than "\nand 599,900 more" has, whatever the number.
constexpr std::size_t kRoomForCount = 64;

/// Most findings are told in fewer bytes.
constexpr std::size_t kUsualMessage = 320;

std::string to_warning(const Finding& finding) {
  const std::string message = finding.message();
  if (message.size() <= kWarningLimit) return message;
  const std::string id = "... (" + std::string(finding.id) + ')';
  return std::string(cut(message, kWarningLimit - id.size())) + id;
}

std::string count_of_rest(std::size_t rest) {
  return "and " + with_separators(rest) + (rest == 1 ? " more warning" : " more warnings") +
         " of winadmit";
}

}  // namespace

std::string refusal_message(const Findings& found) {
  if (found.total == 1) return found.kept.front().message();
  std::string message;
  message.reserve(std::min(kMessageLimit, found.kept.size() * kUsualMessage));
  message.append("refused for ").append(with_separators(found.denials));
  message += found.denials == 1 ? " reason:" : " reasons:";
  std::size_t told = 0;
  for (const Finding& finding : found.kept) {
    const std::string_view lead = told == found.denials ? "\nand warned of:\n* " : "\n* ";
    const std::size_t size = lead.size() + finding.message_size();
    if (message.size() + size + kRoomForCount > kMessageLimit) break;
    message += lead;
    finding.append_message(message);
    ++told;
  }
  if (told < found.total) message += "\nand " + with_separators(found.total - told) + " more";
  return message;
}

std::vector<std::string> to_warnings(const Findings& found) {
  std::vector<std::string> warnings;
  std::size_t size = 0;
  const std::size_t reserve = count_of_rest(found.total).size();
  for (const Finding& finding : found.kept) {
    std::string warning = to_warning(finding);
    const bool is_last = warnings.size() + 1 == found.total;
    if (size + warning.size() + (is_last ? 0 : reserve) > kWarningsLimit) break;
    size += warning.size();
    warnings.push_back(std::move(warning));
  }
  if (warnings.size() < found.total) {
    warnings.push_back(count_of_rest(found.total - warnings.size()));
  }
  return warnings;
}

std::map<std::string, std::string> to_audit_annotations(const Findings& found) {
  std::map<std::string, std::string> notes;
  std::size_t size = 0;
  std::size_t told = 0;
  for (const Finding& finding : found.kept) {
    std::string& note = notes[std::string(finding.id)];
    std::string message = note.empty() ? finding.message() : "; " + finding.message();
    if (note.size() + message.size() > kAuditAnnotationLimit ||
        size + message.size() + kRoomForCount > kAuditAnnotationsLimit) {
      continue;
    }
    size += message.size();
    note += message;
    ++told;
  }
  std::erase_if(notes, [](const auto& note) { return note.second.empty(); });
  if (told < found.total) notes["more-findings"] = with_separators(found.total - told);
  return notes;
}

}  // namespace winadmit::server
