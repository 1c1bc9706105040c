// The fields that the Kubernetes API has in pods and in the kinds that hold them, in each release.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "policy/json/name_table.hpp"
#include "policy/rules/version.hpp"

namespace winadmit::cli {

struct ApiType;

struct ApiField {
  std::string_view name;
  const ApiType* type = nullptr;  // of the value, or of the entries of a list; null if it has none
  bool is_list = false;
  bool is_open = false;  // a map, metadata or status: its members are not known
  VersionRange versions = {};
};

constexpr VersionRange intersection(VersionRange left, VersionRange right) {
  return {std::max(left.first, right.first), std::min(left.last, right.last)};
}

/// A type of the API, such as PodSpec or Container.
struct ApiType {
  NameTable names;
  std::vector<ApiField> fields;  // by the positions of `names`

  /// Null if the type has no such field in any release.
  const ApiField* find(std::string_view name) const {
    const int at = names.find(name);
    return at == NameTable::kNotFound ? nullptr : &fields[static_cast<std::size_t>(at)];
  }
};

/// A step from an object to a member, or to an entry of a list that is the member.
struct ApiStep {
  static constexpr int kNoEntry = -1;
  static constexpr int kEachEntry = -2;

  std::string_view member;
  int entry = kNoEntry;  // or the index
};

/// "spec.containers[0].image", "spec.containers[*].image".
std::string to_string(std::span<const ApiStep> steps);

/// A field somewhere below a type.
struct ApiPath {
  std::vector<ApiStep> steps;  // the last one without an entry
  const ApiField* field;
  VersionRange versions;  // of the field and all above it

  std::span<const ApiStep> parent() const { return {steps.data(), steps.size() - 1}; }
};

/// By the name of a kind that is or holds a pod, or of another type: "Pod", "PodSpec". Throws
/// std::out_of_range for one that the API does not have.
const ApiType& api_type(std::string_view name);

/// Every field of an object of the type.
const std::vector<ApiPath>& api_paths(const ApiType& type);

/// Those with this name.
std::span<const ApiPath* const> api_paths_named(const ApiType& type, std::string_view name);

/// The text from which the types are read: pod_api.txt.
std::string_view pod_api_text();

}  // namespace winadmit::cli
