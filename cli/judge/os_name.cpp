#include "cli/judge/os_name.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "cli/judge/check_advice.hpp"
#include "policy/json/text.hpp"

namespace winadmit::cli {
namespace {

bool is_windows_in_other_letters(std::string_view text) {
  constexpr std::string_view kWindows = "windows";
  return text != kWindows && std::ranges::equal(text, kWindows, {}, to_ascii_lower);
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

}  // namespace

void advise_on_os_name(const Pod& pod, FindingSink& findings) {
  if (!pod.spec) return;
  if (const std::string_view name = pod.os_name.value_or(""); is_windows_in_other_letters(name)) {
    FieldPath path = pod.spec_path();
    path.enter("os");
    path.enter("name");
    add(path, name, "which the API server refuses", findings);
  }
  const auto selector = member<JsonObject>(*pod.spec, "nodeSelector");
  if (!selector) return;
  for (const std::string_view label : {"kubernetes.io/os", "beta.kubernetes.io/os"}) {
    const std::string_view value = string_member(*selector, label);
    if (!is_windows_in_other_letters(value)) continue;
    FieldPath path = pod.spec_path();
    path.enter("nodeSelector");
    path.enter_key(label);
    add(path, value, "which no node has", findings);
  }
}

}  // namespace winadmit::cli
