// Reads YAML nodes of the configuration file. Each error is noted with its line, and reading goes
// on.
#pragma once

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "server/config/config.hpp"

namespace winadmit::server {

class ConfigReader {
 public:
  /// `name` stands for the file in messages.
  explicit ConfigReader(std::string name) : name_(std::move(name)) {}

  /// The one document of the file; a null node if it is empty or cannot be read, which is noted.
  YAML::Node load(const std::string& yaml);

  /// Notes an error with the line of the node or mark, or without a line for a null mark. Ignored
  /// for a node of which it is known that it has a wrong type.
  void fail(const YAML::Node& node, const std::string& error) { fail(node.Mark(), error); }
  void fail(const YAML::Mark& mark, const std::string& error);

  /// Calls `read` with each entry of a mapping. It returns false for an unknown key. A null node is
  /// an empty mapping. `what` names the node in errors, here and below.
  void mapping(const YAML::Node& node, const std::string& what,
               const std::function<bool(const std::string& key, const YAML::Node& value)>& read);

  /// Calls `read` with each entry of a list. A null node is an empty list.
  void list(const YAML::Node& node, const std::string& what,
            const std::function<void(const YAML::Node& entry)>& read);

  /// An empty string if the node is not a string. What its caller says about that is ignored.
  std::string string(const YAML::Node& node, const std::string& what);

  /// Every entry must be a string that is not empty. `check` returns what is wrong with one, or "".
  std::vector<std::string> strings(
      const YAML::Node& node, const std::string& what,
      const std::function<std::string(const std::string& entry)>& check = {});

  /// Leaves `to` unchanged if the node is not a boolean.
  void boolean(bool& to, const YAML::Node& node, const std::string& what);

  /// Throws ConfigError if there was an error.
  void throw_errors() const;

 private:
  std::string name_;
  std::string errors_;  // one line each
  std::size_t error_count_ = 0;
  std::set<int> wrong_types_ = {};  // where nodes begin that are not strings
};

/// A key of a mapping that is read into a T.
template <class T>
struct Key {
  ConfigKey description;
  void (*read)(ConfigReader& reader, T& to, const YAML::Node& value, const std::string& key);
};

template <class T>
void read_mapping(ConfigReader& reader, T& to, const YAML::Node& node, const std::string& what,
                  std::span<const Key<T>> keys) {
  reader.mapping(node, what, [&](const std::string& key, const YAML::Node& value) {
    const auto found =
        std::ranges::find(keys, key, [](const Key<T>& each) { return each.description.key(); });
    if (found == keys.end()) return false;
    found->read(reader, to, value, key);
    return true;
  });
}

}  // namespace winadmit::server
