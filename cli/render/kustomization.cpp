#include "cli/render/kustomization.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "bytes/error.hpp"
#include "bytes/files.hpp"
#include "manifests/parse_yaml.hpp"

namespace winadmit::cli {
namespace {

namespace fs = std::filesystem;
using server::ConfigNode;

constexpr std::size_t kMaxKustomizationSize = std::size_t{1} << 20U;

fs::path without_links(const fs::path& path) {
  std::error_code error;
  fs::path found = fs::canonical(path, error);
  return error ? fs::path() : found;
}

/// The entries of a list of the mapping.
std::vector<ConfigNode> entries(const ConfigNode& mapping, std::string_view key) {
  const std::optional<ConfigNode> list = mapping.member(key);
  return list && list->is_list() ? list->children() : std::vector<ConfigNode>();
}

/// Looks for what kubectl would fetch. Go uses no proxy for an address of this machine.
class UrlSearch {
 public:
  /// The first URL; "" without one. Throws Error if aliases stand for too much.
  std::string find_in(const ConfigNode& node) {
    constexpr std::size_t kMaxNodes = std::size_t{1} << 20U;
    if (++nodes_ > kMaxNodes) throw Error("has too many aliases");
    if (node.is_text()) return is_url(node.text()) ? node.text() : "";
    const std::vector<ConfigNode> children = node.children();
    for (std::size_t i = 0; i < children.size(); ++i) {
      const bool is_value = node.is_mapping() && i % 2 == 1;
      if (is_value && has_other_text(children[i - 1], children[i])) continue;
      if (std::string found = find_in(children[i]); !found.empty()) return found;
    }
    return {};
  }

 private:
  static bool is_url(const std::string& text) { return text.find("://") != std::string::npos; }

  /// Whether a value may have URLs in texts that are no names of files. Other keys are not known to
  /// be harmless: a merge key, or a name in capitals, would hide one.
  static bool has_other_text(const ConfigNode& key, const ConfigNode& value) {
    static const std::set<std::string> kTexts = {"annotations",  "commonAnnotations",
                                                 "commonLabels", "helmCharts",
                                                 "helmGlobals",  "helmChartInflationGenerator",
                                                 "labels",       "literals",
                                                 "metadata",     "options",
                                                 "patch",        "sourceValue"};
    if (!key.is_text()) return false;
    return kTexts.contains(key.text()) ||
           (key.text() == "patchesStrategicMerge" && has_only_patches(value));
  }

  /// Whether no entry is the name of a file with a URL.
  static bool has_only_patches(const ConfigNode& list) {
    return list.is_list() && std::ranges::all_of(list.children(), [](const ConfigNode& each) {
             if (!each.is_text()) return false;
             const std::string text = each.text();
             return !is_url(text) || text.starts_with('{') || text.find('\n') != text.npos;
           });
  }

  std::size_t nodes_ = 0;
};

std::string refusal_of(const fs::path& file, const std::string& entry) {
  return file.string() + ": " + entry + " is not on this machine, and --render fetches nothing";
}

/// Why a file of generators or transformers is refused, or "".
std::string refusal_of_plugin(const fs::path& file) {
  try {
    manifests::Document document(read_file(file, kMaxKustomizationSize));
    manifests::parse_yaml(document);
    UrlSearch search;
    for (const manifests::NodeId root : document.roots()) {
      const std::string url = search.find_in(ConfigNode(document, root));
      if (!url.empty()) return refusal_of(file, url);
    }
    return {};
  } catch (const std::runtime_error& error) {
    return file.string() + ": " + error.what();
  }
}

class Reader {
 public:
  explicit Reader(const fs::path& file) : made_{.file = without_links(file)} {}

  Kustomization read() {
    server::ConfigReader reader(made_.file.string());
    const std::optional<ConfigNode> root =
        reader.load(read_file(made_.file, kMaxKustomizationSize));
    reader.throw_errors();
    if (!root || !root->is_mapping()) return made_;
    if (const std::string url = UrlSearch().find_in(*root); !url.empty()) refuse(url);
    made_.is_component = text_of(*root, "kind") == "Component";
    for (const char* key : {"resources", "bases", "components"}) {
      for (const ConfigNode& each : entries(*root, key)) add_resource(each);
    }
    for (const char* key : {"generators", "transformers", "validators"}) {
      for (const ConfigNode& each : entries(*root, key)) add_plugin(each);
    }
    for (const ConfigNode& each : entries(*root, "patchesStrategicMerge")) {
      if (each.is_text()) add_patch(each.text(), {});
    }
    for (const char* key : {"patches", "patchesJson6902"}) {
      for (const ConfigNode& each : entries(*root, key)) add_patch(each);
    }
    return std::move(made_);
  }

 private:
  fs::path in_folder(const std::string& name) const {
    return name.find('\n') == std::string::npos ? without_links(made_.file.parent_path() / name)
                                                : fs::path();
  }

  void refuse(const std::string& entry) {
    if (made_.refused.empty()) made_.refused = refusal_of(made_.file, entry);
  }

  void add_resource(const ConfigNode& entry) {
    if (!entry.is_text()) return;
    const fs::path found = in_folder(entry.text());
    if (found.empty()) {
      refuse(entry.text());
    } else {
      made_.resources.push_back(found);
    }
  }

  /// Of a file, or its text.
  void add_plugin(const ConfigNode& entry) {
    const fs::path found = entry.is_text() ? in_folder(entry.text()) : fs::path();
    if (!found.empty()) made_.plugins.push_back(found);
  }

  void add_patch(const ConfigNode& entry) {
    KustomizePatch patch{.file = {}};
    const std::optional<ConfigNode> target =
        entry.is_mapping() ? entry.member("target") : std::nullopt;
    patch.has_target = target.has_value();
    if (target) patch.target_kind = text_of(*target, "kind");
    const std::string path = text_of(entry, "path");
    add_patch(path.empty() ? text_of(entry, "patch") : path, std::move(patch));
  }

  /// `what`: the name of a file, or the text of the patch.
  void add_patch(const std::string& what, KustomizePatch patch) {
    patch.file = in_folder(what);
    if (patch.file.empty()) {
      patch.file = made_.file;
      patch.text = what;
    }
    made_.patches.push_back(std::move(patch));
  }

  Kustomization made_;
};

}  // namespace

std::string text_of(const ConfigNode& node, std::string_view key) {
  const std::optional<ConfigNode> value = node.is_mapping() ? node.member(key) : std::nullopt;
  return value && value->is_text() ? value->text() : std::string();
}

fs::path find_kustomization(const fs::path& folder) {
  for (const char* name : {"kustomization.yaml", "kustomization.yml", "Kustomization"}) {
    std::error_code error;
    if (fs::is_regular_file(folder / name, error)) return folder / name;
  }
  return {};
}

Kustomization read_kustomization(const fs::path& file) {
  try {
    return Reader(file).read();
  } catch (const std::runtime_error& error) {
    return {.file = without_links(file), .refused = error.what()};
  }
}

KustomizationParts find_parts(const fs::path& file) {
  KustomizationParts parts;
  std::vector<fs::path> left = {without_links(file)};
  while (!left.empty()) {
    const fs::path next = std::move(left.back());
    left.pop_back();
    if (!parts.files.insert(next).second) continue;
    const Kustomization read = read_kustomization(next);
    if (parts.refused.empty()) parts.refused = read.refused;
    for (const KustomizePatch& each : read.patches) parts.files.insert(each.file);
    for (const fs::path& each : read.plugins) {
      if (const fs::path nested = find_kustomization(each); !nested.empty()) {
        left.push_back(without_links(nested));
      } else if (parts.refused.empty()) {
        parts.refused = refusal_of_plugin(each);
      }
    }
    for (const fs::path& each : read.resources) {
      const fs::path nested = find_kustomization(each);
      if (nested.empty()) {
        parts.files.insert(each);
      } else {
        parts.folders.insert(each);
        left.push_back(without_links(nested));
      }
    }
  }
  return parts;
}

const std::set<fs::path>& PatchFiles::in(const fs::path& folder) {
  const auto [known, is_new] = by_folder_.try_emplace(folder);
  if (is_new) {
    if (const fs::path file = find_kustomization(folder); !file.empty()) {
      for (KustomizePatch& each : read_kustomization(file).patches)
        if (each.text.empty()) known->second.insert(std::move(each.file));
    }
  }
  return known->second;
}

std::string PatchFiles::find_kustomization_of(const std::string& file) {
  const fs::path patch = without_links(file);
  for (fs::path folder = patch.parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    if (in(folder).contains(patch))
      return fs::path(folder).lexically_proximate(fs::current_path()).string();
  }
  return {};
}

}  // namespace winadmit::cli
