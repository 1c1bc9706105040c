#include "cli/project/project_reader.hpp"

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/judge/rule_ids.hpp"
#include "config/config_reader.hpp"
#include "config/label_syntax.hpp"

namespace winadmit::cli {
namespace {

using server::ConfigNode;
using server::ConfigReader;

enum class Empty {
  is_allowed,
  is_no_match,      // an error: without the key, any matches
  counts_as_absent  // an error about the entry
};

/// A key of an entry, whose value is a string or a list of strings.
template <class Entry>
struct TextKey {
  const char* name;
  std::variant<std::string Entry::*, std::vector<std::string> Entry::*> member;
  Empty empty;
  bool is_dns_label = false;
};

constexpr auto kIgnoreKeys = std::to_array<TextKey<IgnoreEntry>>(
    {{"rule", &IgnoreEntry::rule, Empty::counts_as_absent},
     {"kind", &IgnoreEntry::kind, Empty::is_no_match},
     {"namespace", &IgnoreEntry::name_space, Empty::is_no_match},
     {"name", &IgnoreEntry::name, Empty::is_no_match},
     {"file", &IgnoreEntry::file, Empty::is_no_match},
     {"reason", &IgnoreEntry::reason, Empty::is_allowed}});
constexpr auto kTemplateKeys =
    std::to_array<TextKey<TemplatePath>>({{"group", &TemplatePath::group, Empty::is_allowed},
                                          {"kind", &TemplatePath::kind, Empty::counts_as_absent},
                                          {"path", &TemplatePath::path, Empty::counts_as_absent}});
/// A release and a namespace are labels, so that helm never takes them for flags.
constexpr auto kRenderKeys = std::to_array<TextKey<RenderEntry>>(
    {{"chart", &RenderEntry::chart, Empty::counts_as_absent},
     {"kustomization", &RenderEntry::kustomization, Empty::counts_as_absent},
     {"values", &RenderEntry::values, Empty::is_allowed},
     {"set", &RenderEntry::set, Empty::is_allowed},
     {"release", &RenderEntry::release, Empty::is_allowed, /*is_dns_label=*/true},
     {"namespace", &RenderEntry::name_space, Empty::is_allowed, /*is_dns_label=*/true}});

template <class Entry>
Entry read_entry(ConfigReader& reader, const ConfigNode& node, const std::string& what,
                 std::span<const TextKey<Entry>> keys) {
  Entry made;
  std::vector<std::string_view> names;
  for (const TextKey<Entry>& each : keys) names.emplace_back(each.name);
  reader.members(node, what, names, [&](std::size_t index, const ConfigNode& value) {
    const std::string key(names[index]);
    if (const auto* list = std::get_if<1>(&keys[index].member)) {
      made.** list = reader.strings(value, key);
      return;
    }
    const std::optional<std::string> text = reader.string(value, key);
    if (text && text->empty() && keys[index].empty == Empty::is_no_match) {
      reader.fail(value, key + " must not be empty; without it, any " + key + " matches");
    }
    if (text && keys[index].is_dns_label && !server::is_dns_label(*text))
      reader.fail(value, key + " must be a DNS label, as web-1");
    made.*std::get<0>(keys[index].member) = text.value_or("");
  });
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
  if (entry.kind.find_first_of("*?[./") != std::string::npos)
    reader.fail(node, "kind of templates must be the name of one kind, as Rollout");
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

void read_render(ConfigReader& reader, const ConfigNode& node, Project& to) {
  auto entry = read_entry<RenderEntry>(reader, node, "an entry of render", kRenderKeys);
  entry.line = node.line();
  if (entry.chart.empty() == entry.kustomization.empty())
    reader.fail(node, "an entry of render needs a chart or a kustomization");
  const bool has_values = !entry.values.empty() || !entry.set.empty() || !entry.release.empty();
  if (!entry.kustomization.empty() && (has_values || !entry.name_space.empty()))
    reader.fail(node, "a kustomization has no values, release or namespace");
  to.render.push_back(std::move(entry));
}

constexpr auto kKeys = std::to_array<server::Key<Project>>({
    {{"ignore", "list", "", "What is ignored."},
     [](ConfigReader& reader, Project& to, const ConfigNode& value, const std::string& key) {
       reader.list(value, key, [&](const ConfigNode& entry) { read_ignore(reader, entry, to); });
     }},
    {{"templates", "list", "", "Where other kinds have their pod templates."},
     [](ConfigReader& reader, Project& to, const ConfigNode& value, const std::string& key) {
       reader.list(value, key, [&](const ConfigNode& entry) { read_template(reader, entry, to); });
     }},
    {{"render", "list", "", "Helm charts with a set of values each, and kustomizations."},
     [](ConfigReader& reader, Project& to, const ConfigNode& value, const std::string& key) {
       reader.list(value, key, [&](const ConfigNode& entry) { read_render(reader, entry, to); });
     }},
    {{"exclude", "list of patterns", "", "Files that are skipped."},
     [](ConfigReader& reader, Project& to, const ConfigNode& value, const std::string& key) {
       to.exclude = reader.strings(value, key);
     }},
    {{"policy", "mapping", "", "The keys of the configuration."},
     [](ConfigReader& reader, Project& to, const ConfigNode& value, const std::string& key) {
       to.policy = server::read_config(reader, value, key);
     }},
});

}  // namespace

Project parse_project(const std::string& yaml, const std::string& name) {
  Project project{.file = name};
  ConfigReader reader(name);
  if (const std::optional<ConfigNode> file = reader.load(yaml)) {
    server::read_mapping<Project>(reader, project, *file, "the file", kKeys);
  }
  reader.throw_errors();
  return project;
}

}  // namespace winadmit::cli
