#include "server/config/config_reader.hpp"

#include <simdjson.h>

#include <algorithm>

#include "policy/json/printable.hpp"
#include "policy/json/text.hpp"

namespace winadmit::server {

namespace {

constexpr std::size_t kMaxErrors = 100;
constexpr std::size_t kMaxErrorSize = 500;  // an error quotes what is in the file

}  // namespace

YAML::Node ConfigReader::load(const std::string& yaml) {
  if (!simdjson::validate_utf8(yaml)) {
    fail(YAML::Mark::null_mark(), "is not UTF-8");
    return {};
  }
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(yaml);
    if (documents.size() > 1) fail(documents[1], "a second document");
    if (!documents.empty()) return documents.front();
  } catch (const YAML::Exception& error) {
    fail(error.mark, error.msg);
  }
  return {};
}

void ConfigReader::fail(const YAML::Mark& mark, const std::string& error) {
  if (wrong_types_.contains(mark.pos) || ++error_count_ > kMaxErrors) return;
  if (!errors_.empty()) errors_ += '\n';
  errors_ += name_;
  if (!mark.is_null()) errors_ += ':' + std::to_string(mark.line + 1);
  errors_ += ": " + printable(truncate_utf8(error, kMaxErrorSize));
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

std::vector<std::string> ConfigReader::strings(
    const YAML::Node& node, const std::string& what,
    const std::function<std::string(const std::string& entry)>& check) {
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
    if (!check || all.back().empty()) return;
    if (const std::string error = check(all.back()); !error.empty()) fail(entry, error);
  });
  return all;
}

void ConfigReader::boolean(bool& to, const YAML::Node& node, const std::string& what) {
  if (!node.IsScalar() || !YAML::convert<bool>::decode(node, to)) {
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
