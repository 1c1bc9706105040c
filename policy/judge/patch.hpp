// A JSON Patch (RFC 6902), as far as winadmit writes one.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace winadmit {

struct PatchOperation {
  std::string_view op;         // "add" or "remove"
  std::string path;            // a JSON Pointer
  std::string value;           // JSON; empty for "remove"
  std::string_view rule = {};  // whose finding is removed
};
using Patch = std::vector<PatchOperation>;

/// Whether the operation is about spec.os: placement and `winadmit fix` only add it.
inline bool is_spec_os(const PatchOperation& operation) {
  return operation.path.ends_with("/spec/os");
}

/// Whether a patch adds spec.os.
inline bool sets_spec_os(const Patch& patch) { return std::ranges::any_of(patch, is_spec_os); }

/// The same patch, except that one removal of each of `parents` replaces the removals of its
/// members. `parents`: JSON Pointers.
Patch remove_whole(Patch patch, const std::set<std::string>& parents);

}  // namespace winadmit
