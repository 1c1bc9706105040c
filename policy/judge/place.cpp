#include "policy/judge/place.hpp"

#include <algorithm>
#include <utility>

#include "policy/json/json_writer.hpp"

namespace winadmit {
namespace {

/// What `write` writes, as text.
template <class Write>
std::string json_of(Write write) {
  fmt::memory_buffer text;
  JsonWriter out(text);
  write(out);
  return fmt::to_string(text);
}

void write(JsonWriter& out, const Toleration& toleration) {
  out.begin_object();
  out.key("key").string(toleration.key).key("operator").string(toleration.op);
  if (!toleration.value.empty()) out.key("value").string(toleration.value);
  if (!toleration.effect.empty()) out.key("effect").string(toleration.effect);
  out.end_object();
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
    return {"add", path + '/' + escape_pointer_token(settings.os_label()),
            json_of([&](JsonWriter& out) { out.string(os); })};
  }
  return {"add", std::move(path), json_of([&](JsonWriter& out) {
            out.begin_object().key(settings.os_label()).string(os).end_object();
          })};
}

void add_tolerations(Patch& patch, const Pod& pod, const Tolerations& missing) {
  const std::string path = pod.spec_path().pointer() + "/tolerations";
  if (pod.has_tolerations) {
    for (const Toleration* each : missing) {
      patch.push_back({"add", path + "/-", json_of([&](JsonWriter& out) { write(out, *each); })});
    }
    return;
  }
  patch.push_back({"add", path, json_of([&](JsonWriter& out) {
                     out.begin_list();
                     for (const Toleration* each : missing) write(out, *each);
                     out.end_list();
                   })});
}

}  // namespace

Missing find_missing(const Pod& pod, const Target& target, const Settings& settings,
                     PlaceWhat what) {
  Missing missing;
  const bool windows = target.os == Os::windows;
  // Linux by the path's default alone: one that says it is Linux goes there by itself.
  const bool unsaid_linux = target.os == Os::linux && target.linux.empty();
  if (!pod.has_spec || !(windows || unsaid_linux)) return missing;
  missing.selector = what == PlaceWhat::everything && !has_os_selector(pod, settings);
  if (windows) {
    missing.tolerations = wanted_tolerations(pod.tolerations, target, settings);
    std::erase_if(missing.tolerations,
                  [&](const Toleration* each) { return pod.tolerations.tolerate(*each); });
  }
  return missing;
}

Patch place(const Pod& pod, const Target& target, const Settings& settings, PlaceWhat what) {
  Patch patch;
  const Missing missing = find_missing(pod, target, settings, what);
  if (missing.selector) patch.push_back(add_selector(pod, target, settings));
  if (!missing.tolerations.empty()) add_tolerations(patch, pod, missing.tolerations);
  return patch;
}

void Strip::add(const Hit& hit) {
  if (which_ == Which::configured && hit.action != Action::strip) return;
  // The API server refuses capabilities as a whole: an empty rest would not do.
  static constexpr std::string_view kWhole = "/capabilities";
  std::string path = hit.path.pointer();
  if (const std::size_t whole = path.find(std::string(kWhole) + '/'); whole != std::string::npos) {
    path.resize(whole + kWhole.size());
  }
  // The findings of one field, or of what is below it, come one after another.
  if (patch_.empty() || patch_.back().path != path) {
    patch_.push_back({"remove", std::move(path), {}});
  }
}

}  // namespace winadmit
