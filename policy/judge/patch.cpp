#include "policy/judge/patch.hpp"

#include <utility>

#include "text/json_pointer.hpp"

namespace winadmit {

Patch remove_whole(Patch patch, const std::set<std::string>& parents) {
  Patch shorter;
  std::set<std::string> removed;
  for (PatchOperation& each : patch) {
    const auto parent =
        each.op == "remove" ? parents.find(parent_pointer(each.path)) : parents.end();
    if (parent == parents.end()) {
      shorter.push_back(std::move(each));
    } else if (removed.insert(*parent).second) {
      shorter.push_back({"remove", *parent, {}, each.rule});
    }
  }
  return shorter;
}

}  // namespace winadmit
