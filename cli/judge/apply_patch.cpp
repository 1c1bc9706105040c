#include "cli/judge/apply_patch.hpp"

#include <simdjson.h>

namespace winadmit::cli {
namespace {

namespace ondemand = simdjson::ondemand;

/// Where an addition goes in a text.
struct Place {
  std::size_t end;  // of the object or the list, at its bracket
  bool is_list;
  bool is_first;  // in an empty object or list
};

Place make_place(std::string_view collection, const char* text, bool is_list) {
  const std::size_t end = collection.find_last_of("]}");
  return {.end = static_cast<std::size_t>(collection.data() - text) + end,
          .is_list = is_list,
          .is_first = end == 1};
}

std::optional<Place> end_of(ondemand::value value, const char* text) {
  ondemand::array list;
  ondemand::object object;
  if (value.get(list) == simdjson::SUCCESS) return make_place(list.raw_json(), text, true);
  if (value.get(object) == simdjson::SUCCESS) return make_place(object.raw_json(), text, false);
  return std::nullopt;
}

/// Nothing if the object or the list is missing, or has the member already.
std::optional<Place> find_place(const std::string& pointer, std::string_view text) try {
  ondemand::parser parser;
  const simdjson::padded_string padded(text);
  ondemand::document document = parser.iterate(padded);
  const auto error = document.at_pointer(pointer).error();
  // The entry behind the last one is out of bounds.
  if (error != simdjson::NO_SUCH_FIELD && error != simdjson::INDEX_OUT_OF_BOUNDS)
    return std::nullopt;
  const std::string parent = pointer.substr(0, pointer.rfind('/'));
  if (parent.empty()) return std::nullopt;
  return end_of(document.at_pointer(parent), padded.data());
} catch (const simdjson::simdjson_error&) {
  return std::nullopt;
}

}  // namespace

void apply_patch(const Patch& patch, nlohmann::json& object) {
  nlohmann::json operations = nlohmann::json::array();
  for (const PatchOperation& each : patch) {
    nlohmann::json operation = {{"op", each.op}, {"path", each.path}};
    if (!each.value.empty()) operation["value"] = nlohmann::json::parse(each.value);
    operations.push_back(std::move(operation));
  }
  object.patch_inplace(operations);
}

std::optional<std::string> apply_patch_to_text(const Patch& patch, std::string_view object,
                                               std::string text) {
  for (const PatchOperation& each : patch) {
    const std::string pointer = std::string(object) + each.path;
    const auto place = each.op == "add" ? find_place(pointer, text) : std::nullopt;
    const std::string key = nlohmann::json::json_pointer(each.path).back();
    if (!place || place->is_list != (key == "-")) return std::nullopt;
    std::string added = place->is_first ? "" : ",";
    if (!place->is_list) added += nlohmann::json(key).dump() + ':';
    text.insert(place->end, added + each.value);
  }
  return text;
}

}  // namespace winadmit::cli
