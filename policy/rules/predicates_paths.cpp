#include "policy/rules/predicates_paths.hpp"

#include <algorithm>

#include "policy/json/json.hpp"
#include "policy/pod/pod.hpp"
#include "text/text.hpp"

namespace winadmit {

using simdjson::SUCCESS;

std::string_view detail::type_of_pipe(JsonValue host_path) {
  JsonObject members;
  if (host_path.get(members) != SUCCESS || !is_named_pipe(string_member(members, "path")))
    return "";
  return string_member(members, "type");
}

bool value_names_a_pipe(JsonValue value, const Context& where) {
  std::string_view name;
  return value.get(name) == SUCCESS && is_named_pipe_of_host_process_pod(where.pod, name);
}

bool value_is_a_pipe_in_other_spelling(JsonValue value, const Context&) {
  std::string_view path;
  if (value.get(path) != SUCCESS || is_named_pipe(path)) return false;
  return std::ranges::equal(path.substr(0, kNamedPipePrefix.size()), kNamedPipePrefix, {},
                            [](char c) { return c == '/' ? '\\' : to_ascii_lower(c); });
}

bool value_is_socket_in_host_process_pod(JsonValue value, const Context& where) {
  std::string_view type;
  return value.get(type) == SUCCESS && type == "Socket" && where.pod.is_host_process_pod;
}

bool value_is_root_of_c(JsonValue value, const Context&) {
  constexpr std::string_view kSeparators = "/\\";
  std::string_view path;
  if (value.get(path) != SUCCESS) return false;
  if (path.starts_with("C:") || path.starts_with("c:")) {
    path.remove_prefix(2);
    if (path.empty() || kSeparators.find(path.front()) == path.npos) return false;
  } else if (path.size() > 1 && path[1] == ':') {
    return false;  // another drive
  }
  if (path.empty()) return false;
  // Most paths name a directory and have no "..".
  const bool names_directory = path.find_first_not_of("/\\.") != path.npos;
  if (names_directory && path.find("..") == path.npos) return false;
  std::size_t depth = 0;
  while (!path.empty()) {
    const std::string_view part = path.substr(0, path.find_first_of(kSeparators));
    path.remove_prefix(std::min(part.size() + 1, path.size()));
    if (part.empty() || part == ".") continue;
    if (part != "..") {
      ++depth;
    } else if (depth > 0) {
      --depth;
    }
  }
  return depth == 0;
}

bool value_leaves_volume(JsonValue value, const Context&) {
  constexpr std::string_view kSeparators = "/\\";
  std::string_view path;
  if (value.get(path) != SUCCESS) return false;
  const bool has_drive =
      path.size() > 2 && path[1] == ':' && is_alphanumeric(path[0]) && !is_digit(path[0]);
  if (has_drive && kSeparators.find(path[2]) != path.npos) return true;
  if (path.find("..") == path.npos) return false;  // most paths
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find_first_of(kSeparators, begin), path.size());
    if (path.substr(begin, end - begin) == "..") return true;
    begin = end + 1;
  }
  return false;
}

bool value_leaves_volume_or_is_rooted(JsonValue value, const Context& where) {
  std::string_view path;
  if (value.get(path) != SUCCESS) return false;
  return path.starts_with('\\') || path.starts_with('/') || value_leaves_volume(value, where);
}

bool value_is_linux_path(JsonValue value, const Context&) {
  std::string_view path;
  if (value.get(path) != SUCCESS || !path.starts_with('/')) return false;
  return std::ranges::any_of(detail::kLinuxPaths, [&](std::string_view linux) {
    return path.starts_with(linux) && (path.size() == linux.size() || path[linux.size()] == '/');
  });
}

bool value_starts_linux_program(JsonValue value, const Context&) {
  JsonArray command;
  if (value.get(command) != SUCCESS || command.begin() == command.end()) return false;
  std::string_view program;
  if ((*command.begin()).get(program) != SUCCESS) return false;
  return std::ranges::any_of(detail::kLinuxProgramFolders,
                             [&](std::string_view folder) { return program.starts_with(folder); });
}

}  // namespace winadmit
