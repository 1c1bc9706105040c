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
using Fail = std::function<void(const std::string&)>;

Place place(const std::string& file, const YAML::Mark& mark) {
  return mark.is_null() ? Place{.file = file}
                        : Place{.file = file, .line = mark.line + 1, .column = mark.column + 1};
}

/// kubectl's guess (k8s.io/apimachinery pkg/util/yaml, GuessJSONStream).
bool is_json(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string::npos && text[first] == '{';
}

/// A list's entries each alone, as kubectl's flattening visitor does.
void add(Manifest manifest, std::vector<Manifest>& to, const Fail& fail) {
  const json& object = manifest.object;
  if (object.is_null()) return;  // a document of comments alone
  if (!object.is_object() || text_member(object, "kind").empty() ||
      text_member(object, "apiVersion").empty()) {
    return fail(place_of(manifest).text() +
                ": no Kubernetes object: it has no apiVersion and kind");
  }
  const auto items = object.find("items");
  if (!text_member(object, "kind").ends_with("List") || items == object.end() ||
      !items->is_array()) {
    return to.push_back(std::move(manifest));
  }
  for (std::size_t i = 0; i < items->size(); ++i) {
    Manifest item{.file = manifest.file, .object = (*items)[i], .node = {}};
    if (manifest.node) item.node = std::as_const(*manifest.node)["items"][i];
    add(std::move(item), to, fail);
  }
}

/// False for what is no JSON after all: of several documents, say, or with an error that YAML's
/// reader has the place of.
bool read_json(const std::string& file, const std::string& text, std::vector<Manifest>& to,
               const Fail& fail) {
  const auto check_depth = [](int depth, json::parse_event_t, const json&) {
    if (depth > kMostDepth) throw YamlError(YAML::Mark::null_mark(), "nests too deep");
    return true;
  };
  json object = json::parse(text, check_depth, false);
  if (object.is_discarded()) return false;
  add({.file = file, .object = std::move(object), .node = {}}, to, fail);
  return true;
}

void read_yaml(const std::string& file, const std::string& text, std::vector<Manifest>& to,
               const Fail& fail) {
  for (const YAML::Node& document : YAML::LoadAll(text)) {
    try {
      add({.file = file, .object = to_json(document), .node = document}, to, fail);
    } catch (const YamlError& error) {
      fail(place(file, error.mark).text() + ": " + error.what());
    }
  }
}

std::vector<std::string> tokens_of(json::json_pointer pointer) {
  std::vector<std::string> tokens;
  for (; !pointer.empty(); pointer.pop_back()) tokens.push_back(pointer.back());
  std::ranges::reverse(tokens);
  return tokens;
}

/// Goes one step down, and to the place of it. False: there is no such child.
bool go_down(YAML::Node& node, YAML::Mark& mark, const std::string& token) {
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

std::string text_member(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string Place::text() const {
  if (line == 0) return file;
  return file + ':' + std::to_string(line) + ':' + std::to_string(column);
}

Place place_of(const Manifest& manifest, const std::string& pointer) {
  if (!manifest.node) return {.file = manifest.file};
  YAML::Node node = *manifest.node;
  YAML::Mark mark = node.Mark();
  for (const std::string& token : tokens_of(json::json_pointer(pointer))) {
    if (!go_down(node, mark, token)) break;
  }
  return place(manifest.file, mark);
}

std::vector<std::string> files_of(const std::string& folder, bool recursive) {
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
  if (files.empty()) throw std::runtime_error(folder + ": no .yaml, .yml or .json file in it");
  std::ranges::sort(files);
  return files;
}

std::vector<Manifest> read_manifests(const std::string& file, const Fail& fail) {
  const std::string name = file == "-" ? "<stdin>" : file;
  std::vector<Manifest> manifests;
  try {
    const std::string text = read_input(file);
    if (!is_json(text) || !read_json(name, text, manifests, fail)) {
      read_yaml(name, text, manifests, fail);
    }
  } catch (const YamlError& error) {
    fail(place(name, error.mark).text() + ": " + error.what());
  } catch (const YAML::Exception& error) {
    fail(place(name, error.mark).text() + ": " + error.msg);
  } catch (const std::runtime_error& error) {
    fail(error.what());
  }
  return manifests;
}

}  // namespace winadmit::manifests
