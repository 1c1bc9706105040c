#include "cli/judge/emptied_parents.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace winadmit::cli {
namespace {

using nlohmann::json;

/// Fields of pods that have the same meaning empty and absent. An empty volume source has another.
constexpr auto kSameWhenEmpty = std::to_array<std::string_view>(
    {"annotations", "capabilities", "limits", "requests", "resources", "securityContext"});

std::string parent_of(const std::string& pointer) { return pointer.substr(0, pointer.rfind('/')); }

bool may_be_empty(std::string_view pointer) {
  const std::string_view name = pointer.substr(std::min(pointer.rfind('/') + 1, pointer.size()));
  return std::ranges::find(kSameWhenEmpty, name) != kSameWhenEmpty.end();
}

}  // namespace

Patch remove_emptied_parents(Patch patch, const json& object) {
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    std::map<std::string, std::size_t> removed;  // members, by parent
    for (const PatchOperation& each : patch) {
      if (each.op == "remove") ++removed[parent_of(each.path)];
    }
    std::erase_if(removed, [&](const auto& entry) {
      return !may_be_empty(entry.first) ||
             object.at(json::json_pointer(entry.first)).size() != entry.second;
    });
    Patch shorter;
    for (PatchOperation& each : patch) {
      const auto emptied = each.op == "remove" ? removed.find(parent_of(each.path)) : removed.end();
      if (emptied == removed.end()) {
        shorter.push_back(std::move(each));
      } else if (std::exchange(emptied->second, 0) > 0) {  // its first member
        shorter.push_back({"remove", emptied->first, {}, each.rule});
        is_changed = true;
      }
    }
    patch = std::move(shorter);
  }
  return patch;
}

}  // namespace winadmit::cli
