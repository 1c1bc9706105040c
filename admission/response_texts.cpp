#include "admission/response_texts.hpp"

#include <algorithm>
#include <span>
#include <string_view>

#include "text/text.hpp"

namespace winadmit::server {
namespace {

/// In bytes: enough for "\nand 599,900 more" with any number.
constexpr std::size_t kRoomForCount = 64;

/// In bytes: few findings have a longer message.
constexpr std::size_t kTypicalMessageSize = 320;

/// In bytes: a field that is cut keeps this much.
constexpr std::size_t kShortField = 100;

std::string to_warning(const Finding& finding) {
  if (finding.message_size() <= kWarningLimit) return finding.message();
  std::string advice = "; ";
  advice.append(finding.instead).append(" (").append(finding.id).append(")");
  const std::size_t room = kWarningLimit - std::min(kWarningLimit, advice.size() + 2);
  const std::string_view reason = finding.reason;
  const std::size_t left_by_reason = room - std::min(room, reason.size());
  std::string warning =
      truncate_middle_utf8(finding.field, std::min(room, std::max(kShortField, left_by_reason)));
  const std::size_t left = room - warning.size();
  warning += ": ";
  if (reason.size() <= left || left >= kEllipsis.size()) warning += truncate_end_utf8(reason, left);
  return warning += advice;
}

/// "3 problems. First: spec.hostPID: ... (host-pid). Others: host-network, privileged"
void append_summary(std::string& to, const Findings& findings) {
  const auto kept =
      std::span(findings.kept).first(std::min(findings.denials, findings.kept.size()));
  to.append(format_count(findings.denials)).append(" problems. First: ");
  kept.front().append_message(to);
  to += ". Others: ";
  std::vector<std::string_view> ids;
  bool is_cut = kept.size() < findings.denials;
  for (const Finding& finding : kept.subspan(1)) {
    if (std::ranges::find(ids, finding.id) != ids.end()) continue;
    if (!ids.empty() && to.size() + finding.id.size() + kRoomForCount > kFirstLineLimit) {
      is_cut = true;
      break;
    }
    if (!ids.empty()) to += ", ";
    to += finding.id;
    ids.push_back(finding.id);
  }
  if (is_cut) to += ", and more";
}

std::string rest_as_text(std::size_t rest) {
  return "and " + format_count(rest) + (rest == 1 ? " more warning" : " more warnings") +
         " from winadmit";
}

}  // namespace

std::string refusal_message(const Findings& findings) {
  std::string message;
  message.reserve(std::min(kMessageLimit, (findings.kept.size() + 1) * kTypicalMessageSize));
  std::size_t listed = 0;
  if (findings.denials == 1) {
    findings.kept.front().append_message(message);
    listed = 1;
  } else {
    append_summary(message, findings);
  }
  for (const Finding& finding : std::span(findings.kept).subspan(listed)) {
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

std::string default_os_change(const Patch& patch, bool tolerates_every_taint) {
  std::string text;
  for (const PatchOperation& each : patch) {
    if (!text.empty()) text += ", ";
    text.append(each.op).append(" ").append(each.path);
    if (!each.value.empty()) text.append(" ").append(each.value);
  }
  if (tolerates_every_taint) text.insert(0, "tolerates every taint; ");
  return std::string(truncate_utf8(text, kAuditAnnotationLimit));
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
