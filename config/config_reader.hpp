// Reads the values of a configuration file. Each error is noted with its line, and reading goes on.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.hpp"
#include "manifests/document.hpp"

namespace winadmit::server {

/// A value or a key of the file. It borrows from the ConfigReader that loaded it.
class ConfigNode {
 public:
  ConfigNode(const manifests::Document& document, manifests::NodeId id)
      : document_(&document), id_(id) {}

  /// Without a value: nothing, `~` or `null`.
  bool is_null() const;
  /// Any other scalar: the file may say 1.36, true or "true" for a text.
  bool is_text() const;
  bool is_mapping() const { return node().kind == manifests::Node::Kind::mapping; }
  bool is_list() const { return node().kind == manifests::Node::Kind::sequence; }

  /// Of a scalar, without its quotes.
  std::string text() const { return std::string(node().text); }
  /// nullopt if it is neither true nor false.
  std::optional<bool> boolean() const;
  /// Of a mapping: keys and values in turn. Of a list: its entries.
  std::vector<ConfigNode> children() const;
  /// The value of a key of a mapping, if it is there.
  std::optional<ConfigNode> member(std::string_view key) const;

  /// Where it begins, from 1.
  int line() const { return document_->position((*document_)[id_].begin).line; }

 private:
  /// What an alias stands for.
  const manifests::Node& node() const { return (*document_)[document_->resolved(id_)]; }

  const manifests::Document* document_;
  manifests::NodeId id_;
};

class ConfigReader {
 public:
  /// `name` stands for the file in messages.
  explicit ConfigReader(std::string name) : name_(std::move(name)) {}

  /// The one value of the file. nullopt if the file is empty, or cannot be read, which is noted.
  std::optional<ConfigNode> load(std::string yaml);

  /// What load() returned, as JSON text. For a file without errors.
  std::string json() const;

  /// Notes an error with the line of the node.
  void fail(const ConfigNode& node, const std::string& error) { note(node.line(), error); }

  /// Calls `read` with each entry of a mapping. It returns false for an unknown key; `known` is
  /// where the error finds one that was meant. A null node is an empty mapping. `what` names the
  /// node in errors, here and below.
  void mapping(const ConfigNode& node, const std::string& what,
               const std::function<bool(const std::string& key, const ConfigNode& value)>& read,
               std::span<const std::string_view> known = {});

  /// The same for a mapping whose keys are `names`. Calls `read` with the index of the name.
  void members(const ConfigNode& node, const std::string& what,
               std::span<const std::string_view> names,
               const std::function<void(std::size_t index, const ConfigNode& value)>& read);

  /// Calls `read` with each entry of a list. A null node is an empty list.
  void list(const ConfigNode& node, const std::string& what,
            const std::function<void(const ConfigNode& entry)>& read);

  /// The same for a list that replaces a default: a null node is an error.
  void required_list(const ConfigNode& node, const std::string& what,
                     const std::function<void(const ConfigNode& entry)>& read);

  /// nullopt if the node is not a string, which is noted.
  std::optional<std::string> string(const ConfigNode& node, const std::string& what);

  /// Every entry must be a string that is not empty. `check` returns what is wrong with one, or "".
  std::vector<std::string> strings(
      const ConfigNode& node, const std::string& what,
      const std::function<std::string(const std::string& entry)>& check = {});

  /// Leaves `to` unchanged if the node is not a boolean, which is noted.
  void boolean(bool& to, const ConfigNode& node, const std::string& what);

  /// Throws ConfigError if there was an error.
  void throw_errors() const;

 private:
  void note(int line, const std::string& error);

  std::string name_;
  manifests::Limits limits_ = {};
  std::unique_ptr<manifests::Document> document_ = {};
  std::string errors_ = {};  // one line each
  std::size_t error_count_ = 0;
};

/// A key of a mapping that is read into a T.
template <class T>
struct Key {
  ConfigKey description;
  void (*read)(ConfigReader& reader, T& to, const ConfigNode& value, const std::string& key);
};

template <class T>
void read_mapping(ConfigReader& reader, T& to, const ConfigNode& node, const std::string& what,
                  std::span<const Key<T>> keys) {
  std::vector<std::string_view> names;
  for (const Key<T>& each : keys) names.push_back(each.description.key());
  reader.members(node, what, names, [&](std::size_t index, const ConfigNode& value) {
    keys[index].read(reader, to, value, std::string(names[index]));
  });
}

}  // namespace winadmit::server
