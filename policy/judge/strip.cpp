#include "policy/judge/strip.hpp"

#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "text/json_pointer.hpp"

namespace winadmit {
namespace {

constexpr std::string_view kCapabilities = "/securityContext/capabilities";

/// Which members of the capabilities a patch removes.
struct Removed {
  bool add = false;
  bool drop = false;
};

/// The pointer of the capabilities of which the operation removes a member; empty for another.
std::string capabilities_of(const PatchOperation& operation) {
  std::string parent = parent_pointer(operation.path);
  if (operation.op != "remove" || !parent.ends_with(kCapabilities)) parent.clear();
  return parent;
}

std::unordered_map<std::string, Removed> find_removed(const Patch& patch) {
  std::unordered_map<std::string, Removed> found;
  for (const PatchOperation& each : patch) {
    const std::string capabilities = capabilities_of(each);
    if (capabilities.empty()) continue;
    Removed& removed = found[capabilities];
    removed.add |= each.path.ends_with("/add");
    removed.drop |= each.path.ends_with("/drop");
  }
  return found;
}

/// Whether nothing that the container adds or drops is left.
bool is_emptied(JsonObject container, const Removed& removed) {
  const auto context = member<JsonObject>(container, "securityContext");
  const auto capabilities = context ? member<JsonObject>(*context, "capabilities") : std::nullopt;
  return capabilities && (removed.add || !is_nonempty_list(*capabilities, "add")) &&
         (removed.drop || !is_nonempty_list(*capabilities, "drop"));
}

}  // namespace

void StripPatch::add(const FindingView& finding) {
  const bool removes = finding.action == Action::strip ||
                       (fields_ == Fields::configured_and_denied &&
                        finding.action == Action::deny && is_removable(finding.id));
  if (!removes) {
    leaves_denials_ |= finding.action == Action::deny;
    return;
  }
  std::string path = finding.path.json_pointer();
  // Findings of one field are consecutive (FindingSink).
  if (patch_.empty() || patch_.back().path != path) {
    patch_.push_back({"remove", std::move(path), {}, finding.id});
  }
}

Patch remove_emptied_capabilities(Patch patch, const Pod& pod) {
  const auto removed = find_removed(patch);
  if (removed.empty()) return patch;
  std::set<std::string> emptied;
  for_each_container(pod, [&](const Container& container) {
    const std::string at = container.path(pod).json_pointer() + std::string(kCapabilities);
    const auto found = removed.find(at);
    if (found != removed.end() && is_emptied(container.object, found->second)) emptied.insert(at);
  });
  return remove_whole(std::move(patch), emptied);
}

}  // namespace winadmit
