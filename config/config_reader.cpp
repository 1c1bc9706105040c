#include "config/config_reader.hpp"

#include <algorithm>
#include <set>

#include "manifests/parse_yaml.hpp"
#include "manifests/scalar.hpp"
#include "manifests/to_json.hpp"
#include "manifests/utf8.hpp"
#include "text/printable.hpp"
#include "text/similar.hpp"
#include "text/text.hpp"

namespace winadmit::server {

namespace {

using manifests::Node;

constexpr std::size_t kMaxErrors = 100;
constexpr std::size_t kMaxErrorSize = 500;  // an error quotes what is in the file

}  // namespace

bool ConfigNode::is_null() const {
  return node().kind == Node::Kind::scalar && node().is_resolved && manifests::is_null(node().text);
}

bool ConfigNode::is_text() const { return node().kind == Node::Kind::scalar && !is_null(); }

std::optional<bool> ConfigNode::boolean() const {
  if (node().kind != Node::Kind::scalar) return std::nullopt;
  return manifests::to_boolean(node().text);
}

std::vector<ConfigNode> ConfigNode::children() const {
  std::vector<ConfigNode> all;
  for (manifests::NodeId child = node().first; child != manifests::kNoNode;
       child = (*document_)[child].next) {
    all.emplace_back(*document_, child);
  }
  return all;
}

std::optional<ConfigNode> ConfigNode::member(std::string_view key) const {
  const std::vector<ConfigNode> all = children();
  for (std::size_t i = 0; is_mapping() && i + 1 < all.size(); i += 2) {
    if (all[i].is_text() && all[i].text() == key) return all[i + 1];
  }
  return std::nullopt;
}

std::optional<ConfigNode> ConfigReader::load(std::string yaml) {
  if (manifests::has_utf16_mark(yaml)) {  // libyaml would read it
    note(1, "is UTF-16, not UTF-8");
    return std::nullopt;
  }
  // The file is in memory, and has fewer values than bytes.
  limits_.document_size = std::max(limits_.document_size, 16 * (yaml.size() + 1));
  document_ = std::make_unique<manifests::Document>(std::move(yaml));
  try {
    constexpr bool kIsSeparatorText = true;
    manifests::parse_yaml(*document_, limits_, kIsSeparatorText);
  } catch (const manifests::ParseError& error) {
    note(document_->position(error.offset).line, error.what());
    return std::nullopt;
  }
  const auto& roots = document_->roots();
  if (roots.size() > 1) fail(ConfigNode(*document_, roots[1]), "a second document");
  if (roots.empty()) return std::nullopt;
  return ConfigNode(*document_, roots.front());
}

std::string ConfigReader::json() const {
  return manifests::to_json_text(*document_, document_->roots().front(), limits_);
}

void ConfigReader::note(int line, const std::string& error) {
  if (++error_count_ > kMaxErrors) return;
  if (!errors_.empty()) errors_ += '\n';
  errors_ += name_ + ':' + std::to_string(line) + ": ";
  errors_ += printable(truncate_utf8(error, kMaxErrorSize));
}

void ConfigReader::mapping(
    const ConfigNode& node, const std::string& what,
    const std::function<bool(const std::string& key, const ConfigNode& value)>& read,
    std::span<const std::string_view> known) {
  if (node.is_null()) return;
  if (!node.is_mapping()) return fail(node, what + " must be a mapping");
  std::set<std::string> seen;
  const std::vector<ConfigNode> children = node.children();
  for (std::size_t i = 0; i + 1 < children.size(); i += 2) {
    const std::optional<std::string> key = string(children[i], "a key of " + what);
    if (!key) continue;
    if (!seen.insert(*key).second) fail(children[i], "duplicate key '" + *key + "'");
    if (!read(*key, children[i + 1])) {
      fail(children[i], "unknown key '" + *key + "' in " + what + suggestion(*key, known));
    }
  }
}

void ConfigReader::members(
    const ConfigNode& node, const std::string& what, std::span<const std::string_view> names,
    const std::function<void(std::size_t index, const ConfigNode& value)>& read) {
  const auto read_known = [&](const std::string& key, const ConfigNode& value) {
    const auto found = std::ranges::find(names, key);
    if (found == names.end()) return false;
    read(static_cast<std::size_t>(found - names.begin()), value);
    return true;
  };
  mapping(node, what, read_known, names);
}

void ConfigReader::list(const ConfigNode& node, const std::string& what,
                        const std::function<void(const ConfigNode& entry)>& read) {
  if (node.is_null()) return;
  if (!node.is_list()) return fail(node, what + " must be a list");
  for (const ConfigNode& entry : node.children()) read(entry);
}

void ConfigReader::required_list(const ConfigNode& node, const std::string& what,
                                 const std::function<void(const ConfigNode& entry)>& read) {
  if (node.is_null()) return fail(node, what + " needs a list: [] is an empty one");
  list(node, what, read);
}

std::optional<std::string> ConfigReader::string(const ConfigNode& node, const std::string& what) {
  if (node.is_text()) return node.text();
  fail(node, what + " must be a string");
  return std::nullopt;
}

std::vector<std::string> ConfigReader::strings(
    const ConfigNode& node, const std::string& what,
    const std::function<std::string(const std::string& entry)>& check) {
  std::vector<std::string> all;
  list(node, what, [&](const ConfigNode& entry) {
    const std::optional<std::string> text = string(entry, "an entry of " + what);
    if (!text) return;
    all.push_back(*text);
    if (text->empty()) return fail(entry, "an entry of " + what + " must not be empty");
    if (std::ranges::any_of(*text, is_control)) {
      fail(entry, "an entry of " + what + " must not contain control characters");
    }
    if (!check) return;
    if (const std::string error = check(*text); !error.empty()) fail(entry, error);
  });
  return all;
}

void ConfigReader::boolean(bool& to, const ConfigNode& node, const std::string& what) {
  if (const std::optional<bool> value = node.boolean()) {
    to = *value;
  } else {
    fail(node, what + " must be true or false");
  }
}

void ConfigReader::throw_errors() const {
  if (error_count_ == 0) return;
  const std::size_t left_out = error_count_ - std::min(error_count_, kMaxErrors);
  throw ConfigError(left_out == 0 ? errors_
                                  : errors_ + "\nand " + std::to_string(left_out) + " more errors");
}

}  // namespace winadmit::server
