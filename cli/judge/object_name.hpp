// How messages name an object of a manifest.
#pragma once

#include <string>

#include "policy/json/json.hpp"

namespace winadmit::cli {

struct ObjectName {
  std::string group;  // "apps" of apps/v1; "" is the core group
  std::string kind;
  std::string name_space;
  std::string name;  // or generateName

  /// "Deployment shop/web"
  std::string to_string() const;

  /// "Rollout.argoproj.io"; "Service" for the core group.
  std::string group_kind() const;

  friend bool operator==(const ObjectName&, const ObjectName&) = default;
};

/// Members that are missing or no strings are "".
ObjectName name_of(JsonObject object);

}  // namespace winadmit::cli
