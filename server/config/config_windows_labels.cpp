#include "server/config/config_windows_labels.hpp"

#include "policy/pod/labels.hpp"
#include "server/config/config_tolerations.hpp"

namespace winadmit::server {
namespace {

using YAML::Node;

bool is_always_read(std::string_view key) {
  return key == kOsLabel || key == kBetaOsLabel || key == kWindowsBuildLabel;
}

void read_value(ConfigReader& reader, const Node& entry, const std::string& key,
                WindowsLabelValues& values) {
  if (!entry.IsMap()) {
    const std::string value = reader.string(entry, "a value of " + key);
    if (entry.IsScalar() && value.empty()) {
      reader.fail(entry, "a value of " + key + " must not be empty");
    }
    values[value];
    return;
  }
  reader.mapping(entry, "a value of " + key, [&](const std::string& value, const Node& node) {
    const std::string build = reader.string(node, "the build of " + value);
    if (node.IsScalar()) check_build(reader, node, build);
    values[value] = build;
    return true;
  });
}

}  // namespace

WindowsLabels read_windows_labels(ConfigReader& reader, const Node& node, const std::string& what) {
  WindowsLabels labels;
  reader.mapping(node, what, [&](const std::string& key, const Node& list) {
    if (is_always_read(key)) {
      reader.fail(list, key + " need not be in " + what + ": it is always read");
    }
    WindowsLabelValues& values = labels[key];
    reader.list(list, key, [&](const Node& entry) { read_value(reader, entry, key, values); });
    return true;
  });
  return labels;
}

}  // namespace winadmit::server
