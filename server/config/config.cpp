#include "server/config/config.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>

#include "policy/judge/advice.hpp"

namespace winadmit::server {
namespace {

constexpr std::array<std::string_view, 4> kEffects = {"", "NoSchedule", "PreferNoSchedule",
                                                      "NoExecute"};

/// Reads one document; every error is noted and reading goes on.
class Reader {
 public:
  explicit Reader(std::string name) : name_(std::move(name)) {}

  using ReadKey = std::function<bool(const std::string& key, const YAML::Node& value)>;

  void fail(const YAML::Node& where, const std::string& what) { fail(where.Mark(), what); }
  void fail(const YAML::Mark& mark, const std::string& what) {
    errors_.push_back(name_ + ':' + std::to_string(mark.line + 1) + ": " + what);
  }

  /// Calls `read` for each entry of a mapping; it returns false for a key that it does not know.
  void mapping(const YAML::Node& node, const std::string& what, const ReadKey& read) {
    if (node.IsNull()) return;
    if (!node.IsMap()) return fail(node, what + " must be a mapping");
    std::set<std::string> seen;
    for (const auto& entry : node) {
      const std::string key = entry.first.Scalar();
      if (!seen.insert(key).second) fail(entry.first, "'" + key + "' is there twice");
      if (!read(key, entry.second)) fail(entry.first, "unknown key '" + key + "' in " + what);
    }
  }

  template <class Visit>
  void list(const YAML::Node& node, const std::string& what, Visit visit) {
    if (node.IsNull()) return;
    if (!node.IsSequence()) return fail(node, what + " must be a list");
    for (const YAML::Node& entry : node) visit(entry);
  }

  std::string text(const YAML::Node& node, const std::string& what) {
    if (node.IsScalar()) return node.Scalar();
    fail(node, what + " must be a string");
    return {};
  }

  void flag(bool& to, const YAML::Node& node, const std::string& what) {
    if (!node.IsScalar() || !YAML::convert<bool>::decode(node, to)) {
      fail(node, what + " must be true or false");
    }
  }

  void texts(std::vector<std::string>& to, const YAML::Node& node, const std::string& what) {
    list(node, what, [&](const YAML::Node& entry) {
      std::string value = text(entry, "an entry of " + what);
      if (entry.IsScalar() && value.empty()) fail(entry, "an entry of " + what + " is empty");
      to.push_back(std::move(value));
    });
  }

  void throw_errors() const {
    if (errors_.empty()) return;
    std::string all;
    for (const std::string& error : errors_) {
      if (!all.empty()) all += '\n';
      all += error;
    }
    throw ConfigError(all);
  }

 private:
  std::string name_;
  std::vector<std::string> errors_;
};

void read_version(Reader& reader, Version& to, const YAML::Node& node) {
  const std::string text = reader.text(node, "kubernetesVersion");
  const auto version = parse_version(text);
  if (!version || *version < kOldestVersion || *version > kNewestVersion) {
    return reader.fail(node, "kubernetesVersion must be " + to_string(kOldestVersion) + " to " +
                                 to_string(kNewestVersion) + ", not '" + text + "'");
  }
  to = *version;
}

std::optional<Action> warn_or_deny(Reader& reader, const YAML::Node& node,
                                   const std::string& what) {
  const std::string text = reader.text(node, what);
  if (text == "warn") return Action::warn;
  if (text == "deny") return Action::deny;
  reader.fail(node, what + " must be warn or deny, not '" + text + "'");
  return std::nullopt;
}

std::optional<Action> parse_action(std::string_view text) {
  if (text == "allow") return Action::allow;
  if (text == "warn") return Action::warn;
  if (text == "deny") return Action::deny;
  if (text == "strip") return Action::strip;
  return std::nullopt;
}

bool is_known_id(std::string_view id) {
  return std::ranges::find(rules(), id, &Rule::id) != rules().end() ||
         std::ranges::find(advices(), id, &Advice::id) != advices().end();
}

void read_rule_actions(Reader& reader, Settings& settings, const YAML::Node& node) {
  reader.mapping(node, "rules", [&](const std::string& id, const YAML::Node& value) {
    if (!is_known_id(id)) {
      reader.fail(value, "no rule is called '" + id + "': winadmit rules lists them");
      return true;
    }
    const std::string text = reader.text(value, "the action of " + id);
    const auto action = parse_action(text);
    if (!action) {
      reader.fail(
          value, "the action of " + id + " must be allow, warn, deny or strip, not '" + text + "'");
    } else if (action == Action::strip && !is_removable(id)) {
      reader.fail(value,
                  id + " cannot be stripped: without the field the pod would mean something else");
    } else {
      settings.actions[id] = *action;
    }
    return true;
  });
}

Toleration read_toleration(Reader& reader, const YAML::Node& node) {
  Toleration toleration;
  bool has_value = false;
  reader.mapping(node, "a toleration", [&](const std::string& key, const YAML::Node& value) {
    if (key == "key") {
      toleration.key = reader.text(value, key);
    } else if (key == "operator") {
      toleration.op = reader.text(value, key);
    } else if (key == "value") {
      toleration.value = reader.text(value, key);
      has_value = true;
    } else if (key == "effect") {
      toleration.effect = reader.text(value, key);
    } else {
      return false;
    }
    return true;
  });
  if (toleration.key.empty()) reader.fail(node, "a toleration needs a key");
  if (toleration.op != "Equal" && toleration.op != "Exists") {
    reader.fail(node, "a toleration's operator must be Equal or Exists");
  }
  if (toleration.op == "Exists" && has_value) {
    reader.fail(node, "a toleration with operator Exists has no value");
  }
  if (std::ranges::find(kEffects, toleration.effect) == kEffects.end()) {
    reader.fail(node, "a toleration's effect must be NoSchedule, PreferNoSchedule or NoExecute");
  }
  return toleration;
}

std::vector<Toleration> read_tolerations(Reader& reader, const YAML::Node& node,
                                         const std::string& what) {
  std::vector<Toleration> tolerations;
  reader.list(node, what, [&](const YAML::Node& entry) {
    tolerations.push_back(read_toleration(reader, entry));
  });
  return tolerations;
}

void read_builds(Reader& reader, Settings& settings, const YAML::Node& node) {
  settings.tolerations_by_build.clear();
  reader.mapping(
      node, "tolerationsByBuild", [&](const std::string& build, const YAML::Node& value) {
        if (!build.starts_with("10.0.")) {
          reader.fail(value, "'" + build + "' is no value of the label " +
                                 std::string(kWindowsBuildLabel) + ", such as 10.0.20348");
        }
        settings.tolerations_by_build[build] = read_tolerations(reader, value, build);
        return true;
      });
}

/// Controllers create everybody's pods: to exempt one is to exempt all users.
bool is_controller(std::string_view user) {
  return user.starts_with("system:serviceaccount:kube-system:") ||
         user == "system:kube-controller-manager";
}

bool holds_controllers(std::string_view group) {
  return group == "system:serviceaccounts" || group == "system:serviceaccounts:kube-system" ||
         group == "system:authenticated";
}

void read_exemptions(Reader& reader, Exemptions& exempt, const YAML::Node& node) {
  reader.mapping(node, "exempt", [&](const std::string& key, const YAML::Node& value) {
    if (key == "namespaces") {
      reader.texts(exempt.namespaces, value, key);
    } else if (key == "users") {
      reader.texts(exempt.users, value, key);
      for (const std::string& user : exempt.users) {
        if (is_controller(user)) {
          reader.fail(value, "user '" + user +
                                 "' is a controller's: it creates everybody's pods, so its "
                                 "exemption would exempt everybody");
        }
      }
    } else if (key == "groups") {
      reader.texts(exempt.groups, value, key);
      for (const std::string& group : exempt.groups) {
        if (holds_controllers(group)) {
          reader.fail(value, "group '" + group +
                                 "' holds the controllers, which create everybody's pods, so its "
                                 "exemption would exempt everybody");
        }
      }
    } else if (key == "runtimeClasses") {
      reader.texts(exempt.runtime_classes, value, key);
    } else {
      return false;
    }
    return true;
  });
}

bool read_key(Reader& reader, Config& config, const std::string& key, const YAML::Node& value) {
  Settings& settings = config.policy;
  if (key == "kubernetesVersion") {
    read_version(reader, settings.kubernetes, value);
    config.sets_kubernetes_version = true;
  } else if (key == "strict") {
    reader.flag(settings.strict, value, key);
  } else if (key == "rules") {
    read_rule_actions(reader, settings, value);
  } else if (key == "workloads") {
    if (const auto action = warn_or_deny(reader, value, key)) settings.workloads = *action;
  } else if (key == "unplaced") {
    if (const auto action = warn_or_deny(reader, value, key)) {
      settings.actions.emplace(kAdviceUnplaced, *action);
    }
  } else if (key == "nodeSelectorKey") {
    const std::string label = reader.text(value, key);
    if (label.empty()) reader.fail(value, "nodeSelectorKey is empty");
    settings.node_selector_key = label;
  } else if (key == "tolerations") {
    settings.tolerations = read_tolerations(reader, value, key);
  } else if (key == "tolerationsByBuild") {
    read_builds(reader, settings, value);
  } else if (key == "setOs") {
    reader.flag(settings.set_os, value, key);
  } else if (key == "placeDaemonSets") {
    reader.flag(settings.place_daemon_sets, value, key);
  } else if (key == "windowsRuntimeClasses") {
    reader.texts(settings.target.windows_runtime_classes, value, key);
  } else if (key == "exempt") {
    read_exemptions(reader, config.exempt, value);
  } else {
    return false;
  }
  return true;
}

}  // namespace

Config parse_config(const std::string& yaml, const std::string& name) {
  Reader reader(name);
  Config config;
  try {
    reader.mapping(YAML::Load(yaml), "the configuration",
                   [&](const std::string& key, const YAML::Node& value) {
                     return read_key(reader, config, key, value);
                   });
  } catch (const YAML::Exception& error) {
    reader.fail(error.mark, error.msg);
  }
  if (config.policy.set_os && config.policy.kubernetes < Version{1, 24}) {
    reader.fail(YAML::Mark::null_mark(),
                "setOs needs kubernetesVersion 1.24, which knows spec.os, or later");
  }
  reader.throw_errors();
  return config;
}

Config load_config(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) {
    throw ConfigError(path + ": cannot be read");
  }
  return parse_config(text.str(), path);
}

}  // namespace winadmit::server
