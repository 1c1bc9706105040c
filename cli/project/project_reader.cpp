#include "cli/project/project_reader.hpp"

#include <array>
#include <span>

#include "cli/rule_ids.hpp"
#include "server/config/config_reader.hpp"

namespace winadmit::cli {
namespace {

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
Entry read_entry(ConfigReader& reader, const YAML::Node& node, const std::string& what,
                 std::span<const TextKey<Entry>> keys) {
  Entry made;
  reader.mapping(node, what, [&](const std::string& key, const YAML::Node& value) {
    for (const TextKey<Entry>& each : keys) {
      if (key != each.name) continue;
      made.*each.member = reader.string(value, key);
      return true;
    }
    return false;
  });
  return made;
}

void read_ignore(ConfigReader& reader, const YAML::Node& node, Project& to) {
  auto entry = read_entry<IgnoreEntry>(reader, node, "an entry of ignore", kIgnoreKeys);
  entry.line = node.Mark().line + 1;
  if (entry.rule.empty()) {
    reader.fail(node, "an entry of ignore needs a rule");
  } else if (!is_rule_id(entry.rule)) {
    reader.fail(node, "'" + entry.rule + "' is not the id of a rule" + suggest_rule(entry.rule));
  }
  to.ignore.push_back(std::move(entry));
}

void read_template(ConfigReader& reader, const YAML::Node& node, Project& to) {
  auto entry = read_entry<TemplatePath>(reader, node, "an entry of templates", kTemplateKeys);
  if (entry.kind.empty()) reader.fail(node, "an entry of templates needs a kind");
  if (!is_template_path(entry.path)) {
    reader.fail(node,
                "path of templates must have the form spec.template or "
                "spec.tasks[*].template");
  }
  to.templates.push_back(std::move(entry));
}

}  // namespace

Project parse_project(const std::string& yaml, const std::string& name) {
  Project project{.file = name, .folder = {}, .ignore = {}, .exclude = {}, .templates = {}};
  ConfigReader reader(name);
  reader.mapping(
      reader.load(yaml), "the file", [&](const std::string& key, const YAML::Node& value) {
        if (key == "ignore") {
          reader.list(value, key,
                      [&](const YAML::Node& entry) { read_ignore(reader, entry, project); });
        } else if (key == "templates") {
          reader.list(value, key,
                      [&](const YAML::Node& entry) { read_template(reader, entry, project); });
        } else if (key == "exclude") {
          project.exclude = reader.strings(value, key);
        } else {
          return false;
        }
        return true;
      });
  reader.throw_errors();
  return project;
}

}  // namespace winadmit::cli
