// Where a field that the API does not have at its place may belong.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/fields/pod_api.hpp"

namespace winadmit::cli {

/// The place of a field that the API does not have.
struct FieldPlace {
  const ApiType& root;               // of the object
  std::span<const ApiStep> parents;  // from the object to that which has the field
  const ApiType* parent;             // its type; null if the API does not have it either
};

/// What to do with the field: "write nodeSelector", "nodeSelector belongs to spec"; "" if no field
/// of that release is near.
std::string find_near_field(const FieldPlace& place, std::string_view name, Version kubernetes);

/// The same for a field of another place alone: "nodeSelector belongs to spec".
std::string find_other_place(const FieldPlace& place, std::string_view name, Version kubernetes);

}  // namespace winadmit::cli
