#include "cli/fields/pod_api.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "text/text.hpp"

namespace winadmit::cli {
namespace {

using Types = std::map<std::string_view, ApiType>;

/// Cuts the text before `separator` off the front of `rest`, and the separator.
std::string_view cut_front(std::string_view& rest, char separator) {
  const std::string_view front = rest.substr(0, rest.find(separator));
  rest.remove_prefix(std::min(front.size() + 1, rest.size()));
  return front;
}

/// "1.22", the first one, or "1.26-1.30".
VersionRange read_releases(std::string_view text) {
  VersionRange releases{.first = parse_version(cut_front(text, '-')).value()};
  if (!text.empty()) releases.last = parse_version(text).value();
  return releases;
}

/// "containers []Container", "nodeSelector {}", "os PodOS 1.23", "name".
ApiField read_field(std::string_view line, Types& types) {
  ApiField field{.name = cut_front(line, ' ')};
  while (!line.empty()) {
    std::string_view word = cut_front(line, ' ');
    if (is_digit(word.front())) {
      field.versions = read_releases(word);
    } else if (word == "{}") {
      field.is_open = true;
    } else {
      field.is_list = word.starts_with("[]");
      if (field.is_list) word.remove_prefix(2);
      if (!word.empty()) field.type = &types[word];
    }
  }
  return field;
}

Types read_types(std::string_view text) {
  constexpr std::string_view kIndent = "  ";
  Types types;
  ApiType* type = nullptr;
  while (!text.empty()) {
    std::string_view line = cut_front(text, '\n');
    if (line.starts_with('#')) continue;
    if (!line.starts_with(kIndent)) {
      type = &types[line];
      continue;
    }
    line.remove_prefix(kIndent.size());
    type->fields.push_back(read_field(line, types));
    type->names.add(type->fields.back().name);
  }
  return types;
}

class PathCollector {
 public:
  explicit PathCollector(std::vector<ApiPath>& paths) : paths_(paths) {}

  void visit(const ApiType& type, VersionRange above) {
    for (const ApiField& each : type.fields) {
      const VersionRange versions = intersection(above, each.versions);
      steps_.push_back({each.name});
      paths_.push_back({steps_, &each, versions});
      if (each.is_list) steps_.back().entry = ApiStep::kEachEntry;
      if (each.type != nullptr) visit(*each.type, versions);
      steps_.pop_back();
    }
  }

 private:
  std::vector<ApiPath>& paths_;
  std::vector<ApiStep> steps_;
};

struct PathIndex {
  std::vector<ApiPath> paths;
  std::unordered_map<std::string_view, std::vector<const ApiPath*>> by_name;
};

/// Made when it is first asked for.
const PathIndex& index_of(const ApiType& type) {
  static std::map<const ApiType*, PathIndex> known;
  const auto [found, is_new] = known.try_emplace(&type);
  PathIndex& index = found->second;
  if (!is_new) return index;
  PathCollector(index.paths).visit(type, {});
  for (const ApiPath& each : index.paths) index.by_name[each.field->name].push_back(&each);
  return index;
}

}  // namespace

std::string to_string(std::span<const ApiStep> steps) {
  std::string text;
  for (const ApiStep& each : steps) {
    if (!text.empty()) text += '.';
    text += each.member;
    if (each.entry == ApiStep::kEachEntry) text += "[*]";
    if (each.entry >= 0) text += '[' + std::to_string(each.entry) + ']';
  }
  return text;
}

const ApiType& api_type(std::string_view name) {
  static const Types kTypes = read_types(pod_api_text());
  return kTypes.at(name);
}

const std::vector<ApiPath>& api_paths(const ApiType& type) { return index_of(type).paths; }

std::span<const ApiPath* const> api_paths_named(const ApiType& type, std::string_view name) {
  const PathIndex& index = index_of(type);
  const auto found = index.by_name.find(name);
  if (found == index.by_name.end()) return {};
  return found->second;
}

}  // namespace winadmit::cli
