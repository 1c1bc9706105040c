#include "cli/judge/emptied_parents.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "text/json_pointer.hpp"

namespace winadmit::cli {
namespace {

using nlohmann::json;

/// Fields of pods that have the same meaning empty and absent. An empty volume source has another.
constexpr auto kSameWhenEmpty = std::to_array<std::string_view>(
    {"annotations", "capabilities", "limits", "requests", "resources", "securityContext"});

bool goes_if_emptied(const std::string& pointer, RemoveEmptyParents which) {
  const std::string member = last_pointer_token(pointer);
  if (which == RemoveEmptyParents::capabilities) return member == "capabilities";
  return std::ranges::find(kSameWhenEmpty, member) != kSameWhenEmpty.end();
}

/// Whether the members that are not removed mean nothing: they are null, or lists without entries.
bool is_emptied(const json& mapping, const std::set<std::string>& removed) {
  for (const auto& [key, value] : mapping.items()) {
    const bool means_nothing = value.is_null() || (value.is_array() && value.empty());
    if (!means_nothing && !removed.contains(key)) return false;
  }
  return true;
}

}  // namespace

Patch remove_emptied_parents(Patch patch, const json& object, RemoveEmptyParents which,
                             const std::set<std::string>& kept) {
  if (which == RemoveEmptyParents::none) return patch;
  std::set<std::string> stays;  // the mappings with fields that stay
  for (const std::string& pointer : kept) stays.insert(parent_pointer(pointer));
  while (true) {
    std::map<std::string, std::set<std::string>> removed;  // members, by parent
    for (const PatchOperation& each : patch) {
      if (each.op == "remove")
        removed[parent_pointer(each.path)].insert(last_pointer_token(each.path));
    }
    std::set<std::string> emptied;
    for (const auto& [parent, members] : removed) {
      if (goes_if_emptied(parent, which) && !stays.contains(parent) &&
          is_emptied(object.at(json::json_pointer(parent)), members))
        emptied.insert(parent);
    }
    if (emptied.empty()) return patch;
    patch = remove_whole(std::move(patch), emptied);  // this may empty the parents of these
  }
}

}  // namespace winadmit::cli
