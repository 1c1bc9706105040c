#include "server/config/config_reader.hpp"

#include <algorithm>

namespace winadmit::server {

void ConfigReader::fail(const YAML::Mark& mark, const std::string& error) {
  if (wrong_types_.contains(mark.pos)) return;
  if (!errors_.empty()) errors_ += '\n';
  errors_ += name_;
  if (!mark.is_null()) errors_ += ':' + std::to_string(mark.line + 1);
  errors_ += ": " + error;
}

void ConfigReader::mapping(
    const YAML::Node& node, const std::string& what,
    const std::function<bool(const std::string& key, const YAML::Node& value)>& read) {
  if (node.IsNull()) return;
  if (!node.IsMap()) return fail(node, what + " must be a mapping");
  std::set<std::string> seen;
  for (const auto& entry : node) {
    const std::string key = entry.first.Scalar();
    if (!seen.insert(key).second) fail(entry.first, "duplicate key '" + key + "'");
    if (!read(key, entry.second)) fail(entry.first, "unknown key '" + key + "' in " + what);
  }
}

void ConfigReader::list(const YAML::Node& node, const std::string& what,
                        const std::function<void(const YAML::Node& entry)>& read) {
  if (node.IsNull()) return;
  if (!node.IsSequence()) return fail(node, what + " must be a list");
  for (const YAML::Node& entry : node) read(entry);
}

std::string ConfigReader::string(const YAML::Node& node, const std::string& what) {
  if (node.IsScalar()) return node.Scalar();
  fail(node, what + " must be a string");
  wrong_types_.insert(node.Mark().pos);
  return {};
}

std::vector<std::string> ConfigReader::strings(const YAML::Node& node, const std::string& what) {
  std::vector<std::string> all;
  list(node, what, [&](const YAML::Node& entry) {
    all.push_back(string(entry, "an entry of " + what));
    if (entry.IsScalar() && all.back().empty()) {
      fail(entry, "an entry of " + what + " must not be empty");
    }
    const auto is_control = [](char c) {
      return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
    };
    if (std::ranges::any_of(all.back(), is_control)) {
      fail(entry, "an entry of " + what + " must not contain control characters");
    }
  });
  return all;
}

void ConfigReader::boolean(bool& to, const YAML::Node& node, const std::string& what) {
  if (!node.IsScalar() || !YAML::convert<bool>::decode(node, to)) {
    fail(node, what + " must be true or false");
  }
}

void ConfigReader::throw_errors() const {
  if (!errors_.empty()) throw ConfigError(errors_);
}

}  // namespace winadmit::server
