#include "admission/ignored_findings.hpp"

#include <fmt/ranges.h>

#include "policy/pod/ignored_rules.hpp"

namespace winadmit::server {

void IgnoredIds::add_annotation(const Pod& pod) {
  if (!pod.annotations) return;
  for (IgnoredRule& each :
       parse_ignored_rules(string_member(*pod.annotations, kIgnoreAnnotation))) {
    ids_.insert(std::move(each.rule));
  }
}

void IgnoredIds::add_exempt(const Exemptions& exempt, std::string_view name_space,
                            std::chrono::sys_days today) {
  for (const FindingExemption& each : exempt.findings) {
    if (!each.name_space.empty() && each.name_space != name_space) continue;
    if (each.has_ended(today)) continue;
    if (each.rule.empty()) {
      has_all_ = true;
    } else {
      ids_.insert(each.rule);
    }
  }
}

void IgnoringSink::add(const FindingView& finding) {
  if (ignored_.contains(finding.id)) {
    ++count_;
    found_.insert(finding.id);
  } else {
    to_.add(finding);
  }
}

std::string IgnoringSink::ignored() const { return fmt::format("{}", fmt::join(found_, ", ")); }

}  // namespace winadmit::server
