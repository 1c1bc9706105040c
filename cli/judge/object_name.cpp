#include "cli/judge/object_name.hpp"

#include "manifests/manifest.hpp"

namespace winadmit::cli {
namespace {

using manifests::string_member;

std::string group_in(const std::string& api_version) {
  const std::size_t slash = api_version.find('/');
  return slash == std::string::npos ? std::string() : api_version.substr(0, slash);
}

}  // namespace

std::string ObjectName::to_string() const {
  if (name.empty() && name_space.empty()) return kind;
  return kind + ' ' + (name_space.empty() ? name : name_space + '/' + name);
}

std::string ObjectName::group_kind() const { return group.empty() ? kind : kind + '.' + group; }

ObjectName name_of(const nlohmann::json& object) {
  ObjectName made;
  if (!object.is_object()) return made;
  made.group = group_in(string_member(object, "apiVersion"));
  made.kind = string_member(object, "kind");
  const auto metadata = object.find("metadata");
  if (metadata == object.end() || !metadata->is_object()) return made;
  made.name_space = string_member(*metadata, "namespace");
  made.name = string_member(*metadata, "name");
  if (made.name.empty()) made.name = string_member(*metadata, "generateName");
  return made;
}

}  // namespace winadmit::cli
