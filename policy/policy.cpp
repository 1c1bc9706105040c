#include "policy/policy.hpp"

#include <algorithm>
#include <iterator>

#include "policy/json/json_pointers.hpp"
#include "policy/judge/spec_os.hpp"
#include "policy/judge/strip.hpp"

namespace winadmit {
namespace {

/// Pods are placed when they are created. Among workload templates, only those of DaemonSets are
/// placed.
bool is_placed_by_us(const Pod& pod, const Settings& settings) {
  return pod.kind->is_pod() || (pod.kind->is_daemon_set() && settings.place_daemon_sets);
}

bool strips_any_field(const Settings& settings) {
  return std::ranges::any_of(settings.actions,
                             [](const auto& entry) { return entry.second == Action::strip; });
}

/// Removes capabilities that the patch empties as a whole, if the API server refuses empty ones.
Patch without_empty_capabilities(Patch patch, const Pod& pod, const Settings& settings) {
  return has_windows_spec_os(pod, settings.kubernetes)
             ? remove_emptied_capabilities(std::move(patch), pod)
             : patch;
}

Patch without_spec_os(Patch patch) {
  std::erase_if(patch, is_spec_os);
  return patch;
}

}  // namespace

bool has_errors_to_report(const Pod& pod, const Target& target) {
  if (pod.errors.empty()) return false;
  return !target.asks_for_linux() || pod.errors.has_duplicates();
}

FieldErrors Policy::validate(const Pod& pod, const Target& target, FindingSink& findings) const {
  FieldErrors errors;
  if (has_errors_to_report(pod, target)) errors = pod.errors;
  if (errors.has_more()) return errors;  // no more would be shown
  if (target.os == Os::windows) validator_.validate(pod, findings, errors);
  advisor_.advise(pod, target, is_placed_by_us(pod, settings_), findings);
  return errors;
}

Patch Policy::make_patch(const Pod& pod, const Target& target) const {
  Patch patch = make_placement_patch(pod, target, settings_);
  if (target.os != Os::windows) return patch;
  const bool has_os = has_windows_spec_os(pod, settings_.kubernetes);
  Patch fields = settings_.set_os && has_os
                     ? without_spec_os(make_fields_patch_beside_os(pod))
                     : make_fields_patch(pod, may_set_spec_os(pod, target, settings_));
  std::ranges::move(fields, std::back_inserter(patch));
  return patch;
}

Patch Policy::make_template_update_patch(const Pod& pod, const Target& target,
                                         const Pod& old) const {
  if (target.os != Os::windows || pod.os_name || may_set_spec_os(pod, target, settings_))
    return make_patch(pod, target);
  Patch patch = make_placement_patch(pod, target, settings_);
  std::ranges::move(without_spec_os(make_fields_patch_of_update(pod, old)),
                    std::back_inserter(patch));
  return patch;
}

Patch Policy::make_update_patch(const Pod& pod, const Target& target, const Pod& old,
                                const Target& old_target, JsonObject old_object) const {
  Patch patch = make_placement_patch(
      pod, target, settings_,
      find_missing_placement_of_update(pod, target, old, old_target, settings_));
  if (target.os != Os::windows) return patch;
  Patch fields = make_fields_patch_of_update(pod, old);
  std::vector<std::string_view> paths;
  for (const PatchOperation& each : fields) paths.emplace_back(each.path);
  const std::vector<bool> is_in_old = has_values(old_object, paths);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const bool stays = is_spec_os(fields[i]) ? pod.os_name.has_value() : is_in_old[i];
    if (!stays) patch.push_back(std::move(fields[i]));
  }
  return patch;
}

Patch Policy::make_fields_patch_of_update(const Pod& pod, const Pod& old) const {
  const bool has_os = settings_.set_os && has_windows_spec_os(old, settings_.kubernetes);
  return has_os ? make_fields_patch_beside_os(pod) : make_fields_patch(pod, false);
}

Patch Policy::make_fields_patch_beside_os(const Pod& pod) const {
  if (!pod.os_name) return make_fields_patch(pod, true);
  Patch patch = make_fields_patch(pod, true, ValidateAs::policy_with_spec_os);
  return sets_spec_os(patch) ? patch : make_fields_patch(pod, false);
}

Patch Policy::make_fields_patch(const Pod& pod, bool may_set_os, ValidateAs denials) const {
  if (!may_set_os && !strips_any_field(settings_)) return {};
  StripPatch configured(StripPatch::Fields::configured);
  FieldErrors errors;
  validator_.validate(pod, configured, errors, denials);
  if (!errors.empty()) return {};  // the validating webhook reports them
  if (may_set_os && !configured.leaves_denials() &&
      first_field_refused_with_spec_os(pod, validator_, settings_).empty()) {
    SpecOsPatch spec_os = make_spec_os_patch(pod, validator_);
    if (!spec_os.leaves_denials) {
      return remove_emptied_capabilities(std::move(spec_os.patch), pod);
    }
  }
  return without_empty_capabilities(configured.extract(), pod, settings_);
}

}  // namespace winadmit
