#include "cli/judge/named_pointer.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "text/json_pointer.hpp"

namespace winadmit::cli {

std::string NamedPointers::name(const std::string& pointer) {
  const std::string_view whole = pointer;
  std::optional<JsonValue> value = root_;
  std::string named;
  for (std::size_t begin = 0; begin < whole.size();) {
    const std::size_t end = std::min(whole.find('/', begin + 1), whole.size());
    const std::string_view step = whole.substr(begin, end - begin);  // "/containers"
    std::string_view name;
    if (JsonArray list; value && value->get(list) == simdjson::SUCCESS) {
      const auto& entries = entries_of(pointer.substr(0, begin), list);
      const auto index = parse_pointer_index(step.substr(1));
      value = index && *index < entries.size() ? std::optional(entries[*index]) : std::nullopt;
      JsonObject entry;
      if (value && value->get(entry) == simdjson::SUCCESS) name = string_member(entry, "name");
    } else if (JsonValue next; value && value->at_pointer(step).get(next) == simdjson::SUCCESS) {
      value = next;
    } else {
      value.reset();
    }
    if (name.empty()) {
      named += step;
    } else {
      named.append("/[").append(name).append("]");
    }
    begin = end;
  }
  return named;
}

const std::vector<JsonValue>& NamedPointers::entries_of(const std::string& pointer,
                                                        JsonArray list) {
  const auto [known, is_new] = lists_.try_emplace(pointer);
  if (is_new) known->second.assign(list.begin(), list.end());
  return known->second;
}

}  // namespace winadmit::cli
