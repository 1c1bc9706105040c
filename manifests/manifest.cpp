#include "manifests/manifest.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "manifests/input.hpp"
#include "manifests/yaml.hpp"

namespace winadmit::manifests {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

Location to_location(const std::string& file, const YAML::Mark& mark) {
  if (mark.is_null()) return {.file = file};
  return {.file = file, .line = mark.line + 1, .column = mark.column + 1};
}

std::string error_line(const std::string& file, const YAML::Mark& mark, const std::string& what) {
  return to_string(to_location(file, mark)) + ": " + what;
}

/// As kubectl guesses (k8s.io/apimachinery pkg/util/yaml, GuessJSONStream).
bool is_json(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string::npos && text[first] == '{';
}

/// Adds the items of a list one by one, as kubectl's flattening visitor does.
void add(Manifest manifest, const ManifestHandler& to) {
  const json& object = manifest.object;
  if (object.is_null()) return;  // a document of comments only
  if (!object.is_object() || string_member(object, "kind").empty() ||
      string_member(object, "apiVersion").empty()) {
    to.error(to_string(location_of(manifest)) +
             ": not a Kubernetes object: apiVersion or kind is missing");
    return;
  }
  const auto items = object.find("items");
  if (!string_member(object, "kind").ends_with("List") || items == object.end() ||
      !items->is_array()) {
    to.object(manifest);
    return;
  }
  for (std::size_t i = 0; i < items->size(); ++i) {
    Manifest item{.file = manifest.file, .object = (*items)[i], .node = {}};
    if (manifest.node) item.node = std::as_const(*manifest.node)["items"][i];
    add(std::move(item), to);
  }
}

/// False if the text is not JSON: the YAML reader reads several documents, and locates errors.
bool read_json(const std::string& file, const std::string& text, const ManifestHandler& to) {
  const auto check_depth = [](int depth, json::parse_event_t, const json&) {
    if (depth > kMaxDepth) throw YamlError(YAML::Mark::null_mark(), "nested too deeply");
    return true;
  };
  json object = json::parse(text, check_depth, false);
  if (object.is_discarded()) return false;
  add({.file = file, .object = std::move(object), .node = {}}, to);
  return true;
}

void read_yaml(const std::string& file, const std::string& text, const ManifestHandler& to) {
  for (const YAML::Node& document : YAML::LoadAll(text)) {
    try {
      add({.file = file, .object = to_json(document), .node = document}, to);
    } catch (const YamlError& error) {
      to.error(error_line(file, error.mark, error.what()));
    }
  }
}

std::vector<std::string> tokens_of(json::json_pointer pointer) {
  std::vector<std::string> tokens;
  for (; !pointer.empty(); pointer.pop_back()) tokens.push_back(pointer.back());
  std::ranges::reverse(tokens);
  return tokens;
}

/// Replaces `node` by its child, and `mark` by the child's. False if there is no such child.
bool descend(YAML::Node& node, YAML::Mark& mark, const std::string& token) {
  if (node.IsSequence()) {
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), index);
    if (error != std::errc{} || index >= node.size()) return false;
    node.reset(std::as_const(node)[index]);
    mark = node.Mark();
    return true;
  }
  if (!node.IsMap()) return false;
  const auto found = std::find_if(node.begin(), node.end(),
                                  [&](const auto& each) { return each.first.Scalar() == token; });
  if (found == node.end()) return false;
  mark = found->first.Mark();
  node.reset(found->second);
  return true;
}

}  // namespace

std::string string_member(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string to_string(const Location& location) {
  if (location.line == 0) return location.file;
  return location.file + ':' + std::to_string(location.line) + ':' +
         std::to_string(location.column);
}

Location location_of(const Manifest& manifest, const std::string& pointer) {
  if (!manifest.node) return {.file = manifest.file};
  YAML::Node node = *manifest.node;
  YAML::Mark mark = node.Mark();
  for (const std::string& token : tokens_of(json::json_pointer(pointer))) {
    if (!descend(node, mark, token)) break;
  }
  return to_location(manifest.file, mark);
}

std::vector<std::string> find_manifest_files(const std::string& folder, bool recursive) {
  std::vector<std::string> files;
  const auto add_file = [&](const fs::directory_entry& entry) {
    const fs::path extension = entry.path().extension();
    const bool is_manifest = extension == ".yaml" || extension == ".yml" || extension == ".json";
    if (is_manifest && entry.is_regular_file()) files.push_back(entry.path().string());
  };
  if (recursive) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) add_file(entry);
  } else {
    for (const auto& entry : fs::directory_iterator(folder)) add_file(entry);
  }
  if (files.empty()) throw std::runtime_error(folder + ": contains no .yaml, .yml or .json file");
  std::ranges::sort(files);
  return files;
}

void read_manifests(const std::string& file, const ManifestHandler& to) {
  const std::string name = file == "-" ? "<stdin>" : file;
  try {
    const std::string text = read_input(file);
    if (!is_json(text) || !read_json(name, text, to)) read_yaml(name, text, to);
  } catch (const YamlError& error) {
    to.error(error_line(name, error.mark, error.what()));
  } catch (const YAML::Exception& error) {
    to.error(error_line(name, error.mark, error.msg));
  } catch (const std::runtime_error& error) {
    to.error(error.what());
  }
}

}  // namespace winadmit::manifests
