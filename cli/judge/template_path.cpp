#include "cli/judge/template_path.hpp"

#include <regex>

#include "text/json_pointer.hpp"

namespace winadmit::cli {
namespace {

constexpr std::string_view kEach = "[*]";

/// Adds what is below `parent` at the rest of a path.
void add_templates(JsonValue parent, std::string_view rest, const FoundTemplate& so_far,
                   std::vector<FoundTemplate>& to) {
  if (rest.empty()) {
    if (!parent.is_null()) to.push_back({so_far.field, so_far.pointer, parent});
    return;
  }
  if (rest.starts_with(kEach)) {
    JsonArray list;
    if (parent.get(list) != simdjson::SUCCESS) return;
    rest.remove_prefix(kEach.size());
    std::size_t count = 0;
    for (const JsonValue entry : list) {
      const std::string index = std::to_string(count++);
      add_templates(entry, rest, {so_far.field + '[' + index + ']', so_far.pointer + '/' + index},
                    to);
    }
    return;
  }
  if (rest.starts_with('.')) rest.remove_prefix(1);
  const std::string_view member = rest.substr(0, rest.find_first_of(".["));
  rest.remove_prefix(member.size());
  JsonValue found;
  if (parent[member].get(found) != simdjson::SUCCESS) return;
  const std::string dot = so_far.field.empty() ? "" : ".";
  add_templates(found, rest,
                {so_far.field + dot + std::string(member),
                 so_far.pointer + '/' + escape_pointer_token(member)},
                to);
}

}  // namespace

bool is_template_path(std::string_view path) {
  static const std::regex kForm(R"([A-Za-z0-9_-]+(\[\*\])*(\.[A-Za-z0-9_-]+(\[\*\])*)*)");
  constexpr std::size_t kLongest = 1024;  // std::regex recurses for each character
  return path.size() <= kLongest && std::regex_match(path.begin(), path.end(), kForm);
}

std::vector<FoundTemplate> find_templates(JsonValue object, const ObjectName& name,
                                          const std::vector<TemplatePath>& paths) {
  std::vector<FoundTemplate> found;
  for (const TemplatePath& each : paths) {
    if (each.kind == name.kind && each.group == name.group) {
      add_templates(object, each.path, {}, found);
    }
  }
  return found;
}

}  // namespace winadmit::cli
