#include "cli/judge/apply_patch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "policy/json/json_writer.hpp"
#include "text/json_pointer.hpp"

namespace winadmit::cli {
namespace {

namespace ondemand = simdjson::ondemand;

/// The offset of the bracket that ends an object or a list.
std::size_t end_of(std::string_view collection, std::string_view text) {
  return static_cast<std::size_t>(collection.data() - text.data()) + collection.find_last_of("]}");
}

/// Where the member or the entry goes in the text. Nothing if its object or list is missing, or has
/// the member already.
std::optional<std::size_t> find_place(ondemand::value parent, const std::string& key,
                                      std::string_view text) {
  ondemand::array list;
  if (parent.get(list) == simdjson::SUCCESS) {
    return key == "-" ? std::optional(end_of(list.raw_json(), text)) : std::nullopt;
  }
  ondemand::object object;
  if (parent.get(object) != simdjson::SUCCESS ||
      object.find_field_unordered(key).error() != simdjson::NO_SUCH_FIELD) {
    return std::nullopt;
  }
  static_cast<void>(object.reset());
  return end_of(object.raw_json(), text);
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

bool TextPatcher::apply(const Patch& patch, std::string_view object, std::string& text) {
  return std::ranges::all_of(patch,
                             [&](const PatchOperation& each) { return apply(each, object, text); });
}

bool TextPatcher::apply(const PatchOperation& operation, std::string_view object,
                        std::string& text) try {
  const std::size_t last = operation.path.rfind('/');
  if (operation.op != "add" || last == 0 || last == std::string::npos) return false;
  const std::string key = last_pointer_token(operation.path);
  // For this parser, for what is added, and for whoever parses the result.
  text.reserve(text.size() + operation.path.size() + operation.value.size() +
               2 * simdjson::SIMDJSON_PADDING);
  ondemand::document document = parser_.iterate(simdjson::padded_string_view(text));
  const auto place = find_place(
      document.at_pointer(std::string(object) + operation.path.substr(0, last)), key, text);
  if (!place) return false;
  const bool is_list = text[*place] == ']';
  const bool is_empty = text[*place - 1] == (is_list ? '[' : '{');
  fmt::memory_buffer added;
  if (!is_empty) added.push_back(',');
  if (!is_list) {
    append_json_string(added, key);
    added.push_back(':');
  }
  added.append(operation.value);
  text.insert(*place, added.data(), added.size());
  return true;
} catch (const simdjson::simdjson_error&) {
  return false;
}

}  // namespace winadmit::cli
