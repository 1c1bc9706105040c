#include "cli/project/project_reader.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "cli/judge/rule_ids.hpp"
#include "server/config/config_reader.hpp"

namespace winadmit::cli {
namespace {

using server::ConfigNode;
using server::ConfigReader;

/// A key of an entry, whose value is a string.
template <class Entry>
struct TextKey {
  const char* name;
  std::string Entry::* member;
};

constexpr auto kIgnoreKeys =
    std::to_array<TextKey<IgnoreEntry>>({{"rule", &IgnoreEntry::rule},
                                         {"kind", &IgnoreEntry::kind},
                                         {"namespace", &IgnoreEntry::name_space},
                                         {"name", &IgnoreEntry::name},
                                         {"file", &IgnoreEntry::file},
                                         {"reason", &IgnoreEntry::reason}});
constexpr auto kTemplateKeys =
    std::to_array<TextKey<TemplatePath>>({{"group", &TemplatePath::group},
                                          {"kind", &TemplatePath::kind},
                                          {"path", &TemplatePath::path}});

template <class Entry>
Entry read_entry(ConfigReader& reader, const ConfigNode& node, const std::string& what,
                 std::span<const TextKey<Entry>> keys) {
  Entry made;
  std::vector<std::string_view> names;
  for (const TextKey<Entry>& each : keys) names.emplace_back(each.name);
  const auto read = [&](const std::string& key, const ConfigNode& value) {
    const auto found = std::ranges::find(names, key);
    if (found == names.end()) return false;
    const std::optional<std::string> text = reader.string(value, key);
    const bool may_be_empty = key == "group" || key == "reason";
    if (text && text->empty() && !may_be_empty) {
      reader.fail(value, key + " must not be empty; without it, any " + key + " matches");
    }
    made.*keys[static_cast<std::size_t>(found - names.begin())].member = text.value_or("");
    return true;
  };
  reader.mapping(node, what, read, names);
  return made;
}

void read_ignore(ConfigReader& reader, const ConfigNode& node, Project& to) {
  auto entry = read_entry<IgnoreEntry>(reader, node, "an entry of ignore", kIgnoreKeys);
  entry.line = node.line();
  if (entry.rule.empty()) {
    reader.fail(node, "an entry of ignore needs a rule");
  } else if (!is_rule_id(entry.rule)) {
    reader.fail(node, "'" + entry.rule + "' is not the id of a rule" + suggest_rule(entry.rule));
  }
  to.ignore.push_back(std::move(entry));
}

void read_template(ConfigReader& reader, const ConfigNode& node, Project& to) {
  auto entry = read_entry<TemplatePath>(reader, node, "an entry of templates", kTemplateKeys);
  if (entry.kind.empty()) reader.fail(node, "an entry of templates needs a kind");
  if (entry.group.find_first_of("*/") != std::string::npos) {
    reader.fail(node, "group of templates must be an API group without a version, as argoproj.io");
  }
  if (!is_template_path(entry.path)) {
    reader.fail(node,
                "path of templates must have the form spec.template or "
                "spec.tasks[*].template");
  }
  to.templates.push_back(std::move(entry));
}

constexpr auto kMembers =
    std::to_array<std::string_view>({"ignore", "templates", "exclude", "policy"});

/// False for an unknown key.
bool read_member(ConfigReader& reader, const std::string& key, const ConfigNode& value,
                 Project& to) {
  if (key == "ignore") {
    reader.list(value, key, [&](const ConfigNode& entry) { read_ignore(reader, entry, to); });
  } else if (key == "templates") {
    reader.list(value, key, [&](const ConfigNode& entry) { read_template(reader, entry, to); });
  } else if (key == "exclude") {
    to.exclude = reader.strings(value, key);
  } else if (key == "policy") {
    to.policy = server::read_config(reader, value, key);
  } else {
    return false;
  }
  return true;
}

}  // namespace

Project parse_project(const std::string& yaml, const std::string& name) {
  Project project{.file = name};
  ConfigReader reader(name);
  if (const std::optional<ConfigNode> file = reader.load(yaml)) {
    const auto read = [&](const std::string& key, const ConfigNode& value) {
      return read_member(reader, key, value, project);
    };
    reader.mapping(*file, "the file", read, kMembers);
  }
  reader.throw_errors();
  return project;
}

}  // namespace winadmit::cli
