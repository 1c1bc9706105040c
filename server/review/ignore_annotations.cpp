#include "server/review/ignore_annotations.hpp"

#include "policy/pod/ignored_rules.hpp"

namespace winadmit::server {

IgnoredIds::IgnoredIds(JsonObject object, const Pod& pod) {
  if (pod.annotations) add(*pod.annotations);
  if (pod.kind->is_pod()) return;
  const auto metadata = member<JsonObject>(object, "metadata");
  const auto annotations = metadata ? member<JsonObject>(*metadata, "annotations") : std::nullopt;
  if (annotations) add(*annotations);
}

void IgnoredIds::add(JsonObject annotations) {
  for (IgnoredRule& each : parse_ignored_rules(string_member(annotations, kIgnoreAnnotation))) {
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

std::string IgnoringSink::ignored() const {
  std::string list;
  for (const std::string_view id : found_) {
    if (!list.empty()) list += ", ";
    list += id;
  }
  return list;
}

}  // namespace winadmit::server
