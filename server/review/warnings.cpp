#include "server/review/warnings.hpp"

#include <algorithm>
#include <string_view>

#include "policy/json/text.hpp"

namespace winadmit::server {
namespace {

/// In bytes: enough for "\nand 599,900 more" with any number.
constexpr std::size_t kRoomForCount = 64;

/// In bytes: few findings have a longer message.
constexpr std::size_t kTypicalMessageSize = 320;

std::string to_warning(const Finding& finding) {
  const std::string message = finding.message();
  if (message.size() <= kWarningLimit) return message;
  const std::string id = "... (" + std::string(finding.id) + ')';
  return std::string(truncate_utf8(message, kWarningLimit - id.size())) + id;
}

std::string rest_as_text(std::size_t rest) {
  return "and " + format_count(rest) + (rest == 1 ? " more warning" : " more warnings") +
         " from winadmit";
}

}  // namespace

std::string refusal_message(const Findings& findings) {
  if (findings.total == 1) return findings.kept.front().message();
  std::string message;
  message.reserve(std::min(kMessageLimit, findings.kept.size() * kTypicalMessageSize));
  message.append("refused for ").append(format_count(findings.denials));
  message += findings.denials == 1 ? " reason:" : " reasons:";
  std::size_t listed = 0;
  for (const Finding& finding : findings.kept) {
    const std::string_view prefix = listed == findings.denials ? "\nwarnings:\n* " : "\n* ";
    const std::size_t size = prefix.size() + finding.message_size();
    if (message.size() + size + kRoomForCount > kMessageLimit) break;
    message += prefix;
    finding.append_message(message);
    ++listed;
  }
  if (listed < findings.total)
    message += "\nand " + format_count(findings.total - listed) + " more";
  return message;
}

std::vector<std::string> to_warnings(const Findings& findings) {
  std::vector<std::string> warnings;
  std::size_t size = 0;
  const std::size_t reserve = rest_as_text(findings.total).size();
  for (const Finding& finding : findings.kept) {
    std::string warning = to_warning(finding);
    const bool is_last = warnings.size() + 1 == findings.total;
    if (size + warning.size() + (is_last ? 0 : reserve) > kWarningsLimit) break;
    size += warning.size();
    warnings.push_back(std::move(warning));
  }
  if (warnings.size() < findings.total) {
    warnings.push_back(rest_as_text(findings.total - warnings.size()));
  }
  return warnings;
}

std::map<std::string, std::string> to_audit_annotations(const Findings& findings) {
  std::map<std::string, std::string> annotations;
  std::size_t size = 0;
  std::size_t listed = 0;
  for (const Finding& finding : findings.kept) {
    std::string& annotation = annotations[std::string(finding.id)];
    std::string message = annotation.empty() ? finding.message() : "; " + finding.message();
    if (annotation.size() + message.size() > kAuditAnnotationLimit ||
        size + message.size() + kRoomForCount > kAuditAnnotationsLimit) {
      continue;
    }
    size += message.size();
    annotation += message;
    ++listed;
  }
  std::erase_if(annotations, [](const auto& annotation) { return annotation.second.empty(); });
  if (listed < findings.total) annotations["more-findings"] = format_count(findings.total - listed);
  return annotations;
}

}  // namespace winadmit::server
