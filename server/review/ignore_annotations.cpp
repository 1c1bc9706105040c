#include "server/review/ignore_annotations.hpp"

#include <fmt/ranges.h>

#include "policy/pod/ignored_rules.hpp"

namespace winadmit::server {

IgnoredIds::IgnoredIds(const Pod& pod) {
  if (!pod.annotations) return;
  for (IgnoredRule& each :
       parse_ignored_rules(string_member(*pod.annotations, kIgnoreAnnotation))) {
    ids_.insert(std::move(each.rule));
  }
}

void IgnoringSink::add(const FindingView& finding) {
  if (ignored_.contains(finding.id)) {
    found_.insert(finding.id);
  } else {
    to_.add(finding);
  }
}

std::string IgnoringSink::ignored() const { return fmt::format("{}", fmt::join(found_, ", ")); }

}  // namespace winadmit::server
