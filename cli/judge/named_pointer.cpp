#include "cli/judge/named_pointer.hpp"

#include <algorithm>

namespace winadmit::cli {
namespace {

/// The name of the entry at `pointer` of the list at `parent`; "" for something else.
std::string_view name_of_entry(JsonValue root, std::string_view parent, std::string_view pointer) {
  JsonValue list;
  JsonObject entry;
  if (root.at_pointer(parent).get(list) != simdjson::SUCCESS || !list.is_array()) return {};
  if (root.at_pointer(pointer).get(entry) != simdjson::SUCCESS) return {};
  return string_member(entry, "name");
}

}  // namespace

std::string with_names_of_entries(JsonValue root, const std::string& pointer) {
  const std::string_view whole = pointer;
  std::string named;
  std::size_t begin = 0;
  while (begin < whole.size()) {
    const std::size_t end = std::min(whole.find('/', begin + 1), whole.size());
    const std::string_view name = name_of_entry(root, whole.substr(0, begin), whole.substr(0, end));
    if (name.empty()) {
      named += whole.substr(begin, end - begin);
    } else {
      named.append("/[").append(name).append("]");
    }
    begin = end;
  }
  return named;
}

}  // namespace winadmit::cli
