#include "cli/judge/object_name.hpp"

#include <string_view>

#include "text/text.hpp"

namespace winadmit::cli {
namespace {

std::string_view group_in(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  return slash == api_version.npos ? std::string_view() : api_version.substr(0, slash);
}

}  // namespace

std::string ObjectName::to_string() const {
  if (name.empty() && name_space.empty()) return kind;
  return kind + ' ' + (name_space.empty() ? name : name_space + '/' + name);
}

std::string ObjectName::group_kind() const { return group.empty() ? kind : kind + '.' + group; }

ObjectName name_of(JsonObject object) {
  ObjectName made{.group = std::string(group_in(string_member(object, "apiVersion"))),
                  .kind = std::string(string_member(object, "kind")),
                  .name_space = {},
                  .name = {}};
  const auto metadata = member<JsonObject>(object, "metadata");
  if (!metadata) return made;
  // Each finding repeats them.
  const auto text = [&](std::string_view key) {
    return truncate_middle_utf8(string_member(*metadata, key), kEchoLimit);
  };
  made.name_space = text("namespace");
  made.name = text("name");
  if (made.name.empty()) made.name = text("generateName");
  return made;
}

}  // namespace winadmit::cli
