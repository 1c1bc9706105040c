#include "cli/judge/os_name.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "cli/judge/check_advice.hpp"
#include "policy/pod/labels.hpp"
#include "text/text.hpp"

namespace winadmit::cli {
namespace {

constexpr std::string_view kNoNode = "which no node has";

bool is_windows_in_other_letters(std::string_view text) {
  constexpr std::string_view kWindows = "windows";
  return text != kWindows && equals_ignoring_case(text, kWindows);
}

void add(const FieldPath& path, std::string_view value, std::string_view consequence,
         FindingSink& findings) {
  const std::string reason = "is " + std::string(value) + ", " + std::string(consequence);
  findings.add({.id = kAdviceOsName,
                .action = Action::warn,
                .path = path,
                .reason = reason,
                .instead = check_advice_kind(kAdviceOsName).instead});
}

void advise_on_spec_os(const Pod& pod, FindingSink& findings) {
  if (!pod.os_name || !(pod.os_name->empty() || is_windows_in_other_letters(*pod.os_name))) return;
  FieldPath path = pod.spec_path();
  path.enter("os");
  path.enter("name");
  add(path, pod.os_name->empty() ? "empty" : *pod.os_name, "which the API server refuses",
      findings);
}

void advise_on_node_selector(const Pod& pod, FindingSink& findings) {
  const auto selector = member<JsonObject>(*pod.spec, "nodeSelector");
  if (!selector) return;
  for (const std::string_view label : {kOsLabel, kBetaOsLabel}) {
    const std::string_view value = string_member(*selector, label);
    if (!is_windows_in_other_letters(value)) continue;
    FieldPath path = pod.spec_path();
    path.enter("nodeSelector");
    path.enter_key(label);
    add(path, value, kNoNode, findings);
  }
}

/// Visits the entries of the member `name` of an object at `path`.
template <class Visit>
void for_each_entry(JsonObject object, std::string_view name, FieldPath& path, Visit visit) {
  const ScopedStep in_list(path, name);
  const auto list = member<JsonArray>(object, name);
  if (!list) return;
  std::size_t index = 0;
  for (const JsonValue entry : *list) {
    const ScopedStep in_entry(path, index++, entry);
    visit(entry);
  }
}

void advise_on_requirement(JsonObject requirement, FieldPath& path, FindingSink& findings) {
  const std::string_view key = string_member(requirement, "key");
  if ((key != kOsLabel && key != kBetaOsLabel) || string_member(requirement, "operator") != "In") {
    return;
  }
  for_each_entry(requirement, "values", path, [&](JsonValue value) {
    std::string_view text;
    if (value.get(text) != simdjson::SUCCESS || !is_windows_in_other_letters(text)) return;
    add(path, text, kNoNode, findings);
  });
}

void advise_on_node_affinity(const Pod& pod, FindingSink& findings) {
  constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
  FieldPath path = pod.spec_path();
  JsonObject parent = *pod.spec;
  for (const std::string_view name :
       std::initializer_list<std::string_view>{"affinity", "nodeAffinity", kRequired}) {
    const auto found = member<JsonObject>(parent, name);
    if (!found) return;
    parent = *found;
    path.enter(name);
  }
  for_each_entry(parent, "nodeSelectorTerms", path, [&](JsonValue term) {
    JsonObject object;
    if (term.get(object) != simdjson::SUCCESS) return;
    for_each_entry(object, "matchExpressions", path, [&](JsonValue entry) {
      JsonObject requirement;
      if (entry.get(requirement) != simdjson::SUCCESS) return;
      advise_on_requirement(requirement, path, findings);
    });
  });
}

}  // namespace

void advise_on_os_name(const Pod& pod, Version kubernetes, FindingSink& findings) {
  if (!pod.spec) return;
  if (kubernetes >= kPodOsVersion) advise_on_spec_os(pod, findings);
  advise_on_node_selector(pod, findings);
  advise_on_node_affinity(pod, findings);
}

}  // namespace winadmit::cli
