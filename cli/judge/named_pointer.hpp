// Fields by the names of list entries, which stay when entries are added or move.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "policy/json/json.hpp"

namespace winadmit::cli {

/// Names many fields of one object. Keeps the entries of each list that it has been in:
/// at_pointer() takes time in proportion to the index of an entry.
class NamedPointers {
 public:
  /// `root` must outlive this.
  explicit NamedPointers(JsonValue root) : root_(root) {}

  /// A JSON Pointer into the object in which each entry of a list that has a name has that in
  /// brackets instead of its index: "/spec/containers/[web]/securityContext". The names are not
  /// unique.
  std::string name(const std::string& pointer);

 private:
  const std::vector<JsonValue>& entries_of(const std::string& pointer, JsonArray list);

  JsonValue root_;
  std::unordered_map<std::string, std::vector<JsonValue>> lists_;  // by pointer
};

}  // namespace winadmit::cli
