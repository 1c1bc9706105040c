#include "config/config_windows_labels.hpp"

#include <optional>
#include <string_view>

#include "config/config_tolerations.hpp"
#include "config/label_syntax.hpp"
#include "policy/pod/labels.hpp"

namespace winadmit::server {
namespace {

bool is_always_read(std::string_view key) {
  return key == kOsLabel || key == kBetaOsLabel || key == kWindowsBuildLabel;
}

/// Notes an error if the value is impossible, or is there already.
void add_value(ConfigReader& reader, const ConfigNode& node, const std::string& key,
               const std::string& value, const std::string& build, WindowsLabelValues& values) {
  if (value.empty()) return reader.fail(node, "a value of " + key + " must not be empty");
  if (!is_label_value(value)) {
    return reader.fail(node, "'" + value + "' cannot be a value of the label " + key);
  }
  if (!values.emplace(value, build).second) {
    reader.fail(node, "duplicate value '" + value + "' of " + key);
  }
}

void read_value(ConfigReader& reader, const ConfigNode& entry, const std::string& key,
                WindowsLabelValues& values) {
  if (!entry.is_mapping()) {
    const std::optional<std::string> value = reader.string(entry, "a value of " + key);
    if (value) add_value(reader, entry, key, *value, "", values);
    return;
  }
  if (entry.children().empty())
    return reader.fail(entry, "a value of " + key + " must not be an empty mapping");
  reader.mapping(entry, "a value of " + key, [&](const std::string& value, const ConfigNode& node) {
    const std::optional<std::string> build = reader.string(node, "the build of " + value);
    if (build) check_build(reader, node, *build);
    add_value(reader, entry, key, value, build.value_or(""), values);
    return true;
  });
}

}  // namespace

WindowsLabels read_windows_labels(ConfigReader& reader, const ConfigNode& node,
                                  const std::string& what) {
  WindowsLabels labels;
  reader.mapping(node, what, [&](const std::string& key, const ConfigNode& list) {
    if (is_always_read(key)) {
      reader.fail(list, key + " need not be in " + what + ": it is always read");
    } else if (is_other_node_label(key)) {
      reader.fail(list, key + " is not the OS of a node");
    } else if (!is_label_key(key)) {
      reader.fail(list, "'" + key + "' cannot be the key of a label");
    }
    WindowsLabelValues& values = labels[key];
    reader.required_list(list, key,
                         [&](const ConfigNode& entry) { read_value(reader, entry, key, values); });
    return true;
  });
  return labels;
}

}  // namespace winadmit::server
