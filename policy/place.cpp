#include "policy/place.hpp"

#include <algorithm>
#include <utility>

#include "policy/json_text.hpp"

namespace winadmit {
namespace {

/// A JSON object of strings, member by member.
class StringObject {
 public:
  StringObject& add(std::string_view key, std::string_view value) {
    text_ += text_.empty() ? '{' : ',';
    append_json_string(text_, key);
    text_ += ':';
    append_json_string(text_, value);
    return *this;
  }
  std::string take() { return std::move(text_.append("}")); }

 private:
  std::string text_;
};

std::string to_json(const Toleration& toleration) {
  StringObject object;
  object.add("key", toleration.key).add("operator", toleration.op);
  if (!toleration.value.empty()) object.add("value", toleration.value);
  if (!toleration.effect.empty()) object.add("effect", toleration.effect);
  return object.take();
}

std::string to_json_string(std::string_view text) {
  std::string json;
  append_json_string(json, text);
  return json;
}

using Tolerations = std::vector<const Toleration*>;

void append(Tolerations& to, const std::vector<Toleration>& from) {
  for (const Toleration& toleration : from) {
    const bool known =
        std::ranges::any_of(to, [&](const Toleration* each) { return *each == toleration; });
    if (!known) to.push_back(&toleration);
  }
}

/// A pod's build decides, else the default.
Tolerations wanted_tolerations(const PodTolerations& has, const Target& target,
                               const Settings& settings) {
  const auto& by_build = settings.tolerations_by_build;
  Tolerations wanted;
  for (const std::string_view build : target.builds) {
    const auto configured = by_build.find(build);
    append(wanted, configured == by_build.end() ? settings.tolerations : configured->second);
  }
  if (!wanted.empty()) return wanted;
  // Without a selector: a pod that names another build's taint means that build.
  for (const auto& [build, tolerations] : by_build) {
    if (has.name_any(tolerations) && tolerations != settings.tolerations) {
      append(wanted, tolerations);
    }
  }
  if (wanted.empty()) append(wanted, settings.tolerations);
  return wanted;
}

bool has_os_selector(const Pod& pod, const Settings& settings) {
  if (!pod.node_selector) return false;
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{kOsLabel, kBetaOsLabel, settings.os_label()},
      [&](std::string_view key) { return !pod.node_selector->at_key(key).error(); });
}

PatchOperation add_selector(const Pod& pod, const Target& target, const Settings& settings) {
  std::string path = pod.spec_path().pointer() + "/nodeSelector";
  const std::string_view os = to_string(target.os);
  if (pod.node_selector) {
    return {"add", path + '/' + escape_pointer_token(settings.os_label()), to_json_string(os)};
  }
  return {"add", std::move(path), StringObject().add(settings.os_label(), os).take()};
}

void add_tolerations(Patch& patch, const Pod& pod, const Tolerations& missing) {
  const std::string path = pod.spec_path().pointer() + "/tolerations";
  if (pod.tolerations) {
    for (const Toleration* each : missing) patch.push_back({"add", path + "/-", to_json(*each)});
    return;
  }
  std::string list;
  for (const Toleration* each : missing) list += (list.empty() ? '[' : ',') + to_json(*each);
  patch.push_back({"add", path, list += ']'});
}

}  // namespace

Missing find_missing(const Pod& pod, const PodTolerations& has, const Target& target,
                     const Settings& settings, PlaceWhat what) {
  Missing missing;
  const bool windows = target.os == Os::windows;
  // Linux by the path's default alone: one that says it is Linux goes there by itself.
  const bool unsaid_linux = target.os == Os::linux && target.linux.empty();
  if (!pod.has_spec || !(windows || unsaid_linux)) return missing;
  missing.selector = what == PlaceWhat::everything && !has_os_selector(pod, settings);
  if (windows) {
    missing.tolerations = wanted_tolerations(has, target, settings);
    std::erase_if(missing.tolerations, [&](const Toleration* each) { return has.tolerate(*each); });
  }
  return missing;
}

Patch place(const Pod& pod, const Target& target, const Settings& settings, PlaceWhat what) {
  Patch patch;
  const Missing missing =
      find_missing(pod, PodTolerations(pod.tolerations), target, settings, what);
  if (missing.selector) patch.push_back(add_selector(pod, target, settings));
  if (!missing.tolerations.empty()) add_tolerations(patch, pod, missing.tolerations);
  return patch;
}

Patch strip(const std::vector<Finding>& findings) {
  Patch patch;
  for (const Finding& finding : findings) {
    // The API server refuses capabilities as a whole: an empty rest would not do.
    static constexpr std::string_view kWhole = "/capabilities";
    const std::string pointer = finding.path.pointer();
    const std::size_t whole = pointer.find(std::string(kWhole) + '/');
    const std::string path =
        pointer.substr(0, whole == std::string::npos ? whole : whole + kWhole.size());
    const bool removed =
        std::ranges::any_of(patch, [&](const PatchOperation& each) { return each.path == path; });
    if (!removed) patch.push_back({"remove", path, {}});
  }
  return patch;
}

}  // namespace winadmit
