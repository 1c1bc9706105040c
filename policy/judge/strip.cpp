#include "policy/judge/strip.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace winadmit {
namespace {

constexpr std::string_view kCapabilities = "/securityContext/capabilities";

/// The operations [first, last) of a patch, which remove members of the same capabilities.
struct Removals {
  std::size_t first;
  std::size_t last;
  bool are_all = false;  // nothing that is added or dropped is left
};
using RemovalsByPointer = std::unordered_map<std::string, Removals>;

RemovalsByPointer find_removals(const Patch& patch) {
  RemovalsByPointer found;
  for (std::size_t i = 0; i < patch.size(); ++i) {
    const PatchOperation& each = patch[i];
    const std::string parent = each.path.substr(0, each.path.rfind('/'));
    if (each.op != "remove" || !parent.ends_with(kCapabilities)) continue;
    // Members of the same object are consecutive.
    found.try_emplace(parent, Removals{.first = i, .last = i}).first->second.last = i + 1;
  }
  return found;
}

bool is_left(JsonObject capabilities, std::string_view member,
             std::span<const PatchOperation> removals) {
  const bool is_removed = std::ranges::any_of(
      removals, [&](const PatchOperation& each) { return each.path.ends_with(member); });
  return !is_removed && is_nonempty_list(capabilities, member.substr(1));
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
  // Findings of one field are consecutive.
  if (patch_.empty() || patch_.back().path != path) {
    patch_.push_back({"remove", std::move(path), {}, finding.id});
  }
}

Patch remove_emptied_capabilities(Patch patch, const Pod& pod) {
  RemovalsByPointer removals = find_removals(patch);
  if (removals.empty()) return patch;
  for_each_container(pod, [&](const Container& container) {
    const auto found =
        removals.find(container.path(pod).json_pointer() + std::string(kCapabilities));
    if (found == removals.end()) return;
    const auto context = member<JsonObject>(container.object, "securityContext");
    const auto capabilities = context ? member<JsonObject>(*context, "capabilities") : std::nullopt;
    const std::span operations(patch.data() + found->second.first,
                               patch.data() + found->second.last);
    found->second.are_all = capabilities && !is_left(*capabilities, "/add", operations) &&
                            !is_left(*capabilities, "/drop", operations);
  });
  for (auto& [pointer, each] : removals) {
    if (!each.are_all) continue;
    patch[each.first].path = pointer;
    for (std::size_t i = each.first + 1; i < each.last; ++i) patch[i].op = {};
  }
  std::erase_if(patch, [](const PatchOperation& each) { return each.op.empty(); });
  return patch;
}

}  // namespace winadmit
