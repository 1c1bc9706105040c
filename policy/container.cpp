#include "policy/container.hpp"

namespace winadmit {
namespace {

/// The windowsOptions in a pod spec or a container.
std::optional<JsonObject> windows_options(JsonObject holder) {
  const auto context = member<JsonObject>(holder, "securityContext");
  return context ? member<JsonObject>(*context, "windowsOptions") : std::nullopt;
}

void add(WindowsOptions& found, std::optional<JsonObject> options) {
  if (!options) return;
  for (const auto [key, value] : *options) {
    if (value.is_null()) continue;
    found.any_set = true;
    bool yes = false;
    if (key == "hostProcess" && value.get(yes) == simdjson::SUCCESS) found.host_process |= yes;
  }
}

}  // namespace

WindowsOptions find_windows_options(const Pod& pod) {
  WindowsOptions found;
  if (pod.security_context) {
    add(found, member<JsonObject>(*pod.security_context, "windowsOptions"));
  }
  each_container(pod, [&](std::size_t, std::size_t, Json, JsonObject container) {
    add(found, windows_options(container));
  });
  return found;
}

bool is_host_process(JsonObject spec, JsonObject container) {
  for (const JsonObject holder : {container, spec}) {
    const auto options = windows_options(holder);
    if (!options) continue;
    if (const auto value = member<bool>(*options, "hostProcess")) return *value;
  }
  return false;
}

}  // namespace winadmit
