#include "policy/judge/manual_fix.hpp"

#include <algorithm>

#include "policy/judge/validate.hpp"

namespace winadmit {

namespace {

bool may_need_manual_fix(std::string_view rule) {
  return std::ranges::any_of(
      rules(), [&](const Rule& row) { return row.needs_manual_fix && row.id == rule; });
}

}  // namespace

bool needs_manual_fix(std::string_view rule, JsonValue value, const Context& where,
                      const Settings& settings) {
  if (settings.action_of(rule, Action::allow) == Action::strip) return false;
  return std::ranges::any_of(rules(), [&](const Rule& row) {
    return row.needs_manual_fix && row.id == rule && row.versions.contains(settings.kubernetes) &&
           row.applies(where) && row.forbids.matches(value, where);
  });
}

void leave_to_author(Patch& patch, const Pod& pod, JsonObject object, const Settings& settings) {
  if (!pod.spec) return;
  const Context where{.pod = pod,
                      .container = *pod.spec,
                      .spec_os = has_windows_spec_os(pod, settings.kubernetes),
                      .kubernetes = settings.kubernetes};
  std::erase_if(patch, [&](const PatchOperation& each) {
    JsonValue value;
    // at_pointer() is linear in the indexes of lists; a patch has few such operations.
    return each.op == "remove" && may_need_manual_fix(each.rule) &&
           object.at_pointer(each.path).get(value) == simdjson::SUCCESS &&
           needs_manual_fix(each.rule, value, where, settings);
  });
}

}  // namespace winadmit
