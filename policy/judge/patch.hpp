// A JSON Patch (RFC 6902), as far as winadmit writes one.
#pragma once

#include <algorithm>
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

/// Whether a patch adds spec.os.
inline bool sets_spec_os(const Patch& patch) {
  return std::ranges::any_of(
      patch, [](const PatchOperation& each) { return each.path.ends_with("/spec/os"); });
}

}  // namespace winadmit
