#include "cli/judge/os_name.hpp"

#include <initializer_list>
#include <string>
#include <string_view>

#include "cli/judge/check_advice.hpp"
#include "policy/pod/labels.hpp"
#include "text/printable.hpp"
#include "text/text.hpp"

namespace winadmit::cli {
namespace {

constexpr std::string_view kNoNode = "which no node has";
constexpr std::string_view kWriteLabel = "write kubernetes.io/os";

bool is_os_label(std::string_view key) { return key == kOsLabel || key == kBetaOsLabel; }

/// "kubernetes.io/OS".
bool is_os_label_in_other_case(std::string_view key) {
  return !is_os_label(key) &&
         (equals_ignoring_case(key, kOsLabel) || equals_ignoring_case(key, kBetaOsLabel));
}

/// "Windows".
bool is_windows_in_other_case(std::string_view text) {
  return text != "windows" && equals_ignoring_case(text, "windows");
}

/// "is 'Windows', which no node has"
std::string is_value(std::string_view value, std::string_view consequence) {
  return "is '" + echo(value) + "', " + std::string(consequence);
}

/// The API server takes linux and windows alone (k8s.io/kubernetes pkg/apis/core/validation,
/// validOS).
void advise_on_spec_os(const Pod& pod, FindingSink& findings) {
  if (!pod.os_name || pod.os_name == "windows" || pod.os_name == "linux") return;
  FieldPath path = pod.spec_path();
  path.enter("os");
  path.enter("name");
  add_warning(kAdviceOsName, path, is_value(*pod.os_name, "which the API server refuses"),
              findings);
}

void advise_on_node_selector(const Pod& pod, FindingSink& findings) {
  const auto selector = member<JsonObject>(*pod.spec, "nodeSelector");
  if (!selector) return;
  FieldPath path = pod.spec_path();
  path.enter("nodeSelector");
  for (const auto [key, value] : *selector) {
    std::string_view text;
    if (value.get(text) != simdjson::SUCCESS) continue;
    path.enter_key(key);
    if (is_os_label(key)) {
      if (is_windows_in_other_case(text))
        add_warning(kAdviceOsName, path, is_value(text, kNoNode), findings);
    } else if (is_os_label_in_other_case(key)) {
      add_warning(kAdviceOsName, path, "is a label that no node has", findings, kWriteLabel);
    }
    path.leave();
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
  if (!is_os_label(key)) {
    const ScopedStep in_key(path, "key");
    if (is_os_label_in_other_case(key))
      add_warning(kAdviceOsName, path, is_value(key, "a label that no node has"), findings,
                  kWriteLabel);
    return;
  }
  if (string_member(requirement, "operator") != "In") return;
  for_each_entry(requirement, "values", path, [&](JsonValue value) {
    std::string_view text;
    if (value.get(text) != simdjson::SUCCESS || !is_windows_in_other_case(text)) return;
    add_warning(kAdviceOsName, path, is_value(text, kNoNode), findings);
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
