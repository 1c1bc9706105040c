#include "cli/render/kustomization.hpp"

#include <optional>
#include <stdexcept>

#include "bytes/files.hpp"

namespace winadmit::cli {
namespace {

namespace fs = std::filesystem;
using server::ConfigNode;

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

class Reader {
 public:
  explicit Reader(const fs::path& file) : made_{.file = without_links(file)} {}

  Kustomization read() {
    server::ConfigReader reader(made_.file.string());
    const std::optional<ConfigNode> root = reader.load(read_file(made_.file));
    if (!root || !root->is_mapping()) return made_;
    made_.is_component = text_of(*root, "kind") == "Component";
    for (const char* key : {"resources", "bases", "components"}) {
      for (const ConfigNode& each : entries(*root, key)) add_resource(each);
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

  void add_resource(const ConfigNode& entry) {
    if (!entry.is_text()) return;
    const fs::path found = in_folder(entry.text());
    if (found.empty()) {
      made_.not_here.push_back(entry.text());
    } else {
      made_.resources.push_back(found);
    }
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
  } catch (const std::runtime_error&) {
    return {.file = without_links(file)};
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
    if (!read.not_here.empty() && parts.remote.empty())
      parts.remote = next.string() + ": " + read.not_here.front();
    for (const KustomizePatch& each : read.patches) parts.files.insert(each.file);
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
