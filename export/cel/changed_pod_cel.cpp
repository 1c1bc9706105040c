#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "export/cel/cel_text.hpp"
#include "export/cel/match_conditions.hpp"
#include "export/cel/pod_view.hpp"
#include "policy/pod/labels.hpp"
#include "policy/rules/read_annotations.hpp"

namespace winadmit {
namespace {

/// Whether the policy reads the annotation `key`.
std::string is_read_annotation_in_cel() {
  std::vector<std::string_view> keys, starts, ends;
  for (const std::string_view pattern : judged_annotation_keys()) {
    if (pattern.ends_with('*')) {
      starts.push_back(pattern.substr(0, pattern.size() - 1));
    } else if (pattern.starts_with('*')) {
      ends.push_back(pattern.substr(1));
    } else {
      keys.push_back(pattern);
    }
  }
  return fill(
      "(key in $keys ||\n    $starts.exists(start, "
      "key.startsWith(start)) ||\n"
      "    $ends.exists(end, key.endsWith(end)))",
      {{"$keys", cel_list(keys)}, {"$starts", cel_list(starts)}, {"$ends", cel_list(ends)}});
}

/// The API server bounds the cost of a condition. Where two pods have more annotations together,
/// any difference counts.
constexpr int kMaxComparedAnnotations = 1000;

/// Whether one of two maps has an annotation that the policy reads, and the other one has not.
std::string differs_in_read_annotations(std::string_view a, std::string_view b) {
  return fill(
      "$a != $b && ($a.size() + $b.size() > $max ||\n"
      "  [[$a, $b], [$b, $a]].exists(both, both[0].exists(key,\n"
      "    !(key in both[1] && both[1][key] == both[0][key]) &&\n    $isRead)))",
      {{"$a", std::string(a)},
       {"$b", std::string(b)},
       {"$max", std::to_string(kMaxComparedAnnotations)},
       {"$isRead", is_read_annotation_in_cel()}});
}

}  // namespace

MatchCondition changes_something() {
  const auto os_label = [](std::string_view object) {
    return fmt::format(
        "(has({0}.metadata.labels) && {1} in {0}.metadata.labels ?\n"
        "  {0}.metadata.labels[{1}] : '')",
        object, cel_string(kOsLabel));
  };
  const auto annotations = [](std::string_view object) {
    return fmt::format("(has({0}.metadata.annotations) ? {0}.metadata.annotations : {{}})", object);
  };
  return {"changes-something",
          "oldObject == null || !(has(object.spec) && has(oldObject.spec)) ||\n"
          "object.spec != oldObject.spec ||\n" +
              os_label("object") + " !=\n" + os_label("oldObject") + " ||\n" +
              differs_in_read_annotations(annotations("object"), annotations("oldObject"))};
}

MatchCondition changes_pod_or_template() {
  return {"changes-something",
          fill("oldObject == null ||\n[[dyn(object), dyn(oldObject)].map(held, $template)\n"
               "  .map(pod, [pod.?spec.orValue({}), dyn(pod.?metadata.?labels[?$os].orValue('')),\n"
               "    pod.?metadata.?annotations.orValue({})])]\n"
               "  .exists(pods, pods[0][0] != pods[1][0] || pods[0][1] != pods[1][1] ||\n"
               "    request.kind.kind != 'Pod' && pods[0][2] != pods[1][2] ||\n  "
               "$annotations)",
               {{"$template", template_of("held")},
                {"$os", cel_string(kOsLabel)},
                {"$annotations", differs_in_read_annotations("pods[0][2]", "pods[1][2]")}})};
}

}  // namespace winadmit
