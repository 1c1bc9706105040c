#include "manifests/yaml.hpp"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <regex>
#include <string_view>
#include <vector>

namespace winadmit::manifests {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::size_t kMaxValues = 1'000'000;

constexpr std::array<std::string_view, 5> kNulls = {"", "~", "null", "Null", "NULL"};
constexpr std::array<std::string_view, 11> kTrues = {"y",    "Y",    "yes", "Yes", "YES", "true",
                                                     "True", "TRUE", "on",  "On",  "ON"};
constexpr std::array<std::string_view, 11> kFalses = {"n",     "N",     "no",  "No",  "NO", "false",
                                                      "False", "FALSE", "off", "Off", "OFF"};
constexpr std::array<std::string_view, 12> kNotFinite = {".inf",  ".Inf",  ".INF",  "+.inf",
                                                         "+.Inf", "+.INF", "-.inf", "-.Inf",
                                                         "-.INF", ".nan",  ".NaN",  ".NAN"};

bool is_one_of(const auto& words, std::string_view text) {
  return std::ranges::find(words, text) != words.end();
}

/// Parses the whole text.
template <class Integer>
std::optional<Integer> parse(std::string_view text, int base) {
  Integer value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// As Go's strconv.ParseInt with base 0: 0x, 0o, 0b, or 0 for octal. Underscores are ignored.
std::optional<json> integer(std::string text) {
  std::erase(text, '_');
  const bool is_negative = text.starts_with('-');
  std::string_view digits = text;
  if (is_negative || text.starts_with('+')) digits.remove_prefix(1);
  int base = 10;
  if (digits.size() > 1 && digits[0] == '0') {
    const char kind = digits[1];
    base = kind == 'x' || kind == 'X' ? 16 : kind == 'b' || kind == 'B' ? 2 : 8;
    digits.remove_prefix(base != 8 || kind == 'o' || kind == 'O' ? 2 : 1);
  }
  const auto value = parse<std::uint64_t>(digits, base);
  if (!value) return std::nullopt;
  if (!is_negative) return *value;
  constexpr auto kSmallest = std::uint64_t{1} << 63U;
  if (*value > kSmallest) return std::nullopt;
  return static_cast<std::int64_t>(~*value + 1);
}

/// Whole numbers become integers, as Go's encoding/json writes them.
std::optional<json> floating(std::string text) {
  static const std::regex kForm(R"([-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?)");
  constexpr double kWholeBelow = 9e18;
  std::erase(text, '_');
  if (!std::regex_match(text, kForm)) return std::nullopt;
  const double value = std::strtod(text.c_str(), nullptr);
  if (!std::isfinite(value)) return std::nullopt;
  if (std::trunc(value) == value && std::abs(value) < kWholeBelow) {
    return static_cast<std::int64_t>(value);
  }
  return value;
}

/// The value of a scalar without quotes and tag, as go-yaml's resolve() has it.
json plain_scalar(const std::string& text, const YAML::Mark& where) {
  if (is_one_of(kNulls, text)) return nullptr;
  if (is_one_of(kTrues, text)) return true;
  if (is_one_of(kFalses, text)) return false;
  if (is_one_of(kNotFinite, text)) throw YamlError(where, text + " is not a valid JSON number");
  constexpr std::string_view kNumbersBeginWith = "+-.0123456789";
  if (kNumbersBeginWith.find(text.front()) == std::string_view::npos) return text;
  if (auto value = integer(text)) return *std::move(value);
  if (auto value = floating(text)) return *std::move(value);
  return text;
}

class Converter {
 public:
  json convert(const YAML::Node& node, int depth = 0) {
    if (depth > kMaxDepth) throw YamlError(node.Mark(), "nested too deeply");
    if (values_left_-- == 0) throw YamlError(node.Mark(), "has too many values");
    switch (node.Type()) {
      case YAML::NodeType::Map:
        return mapping(node, depth);
      case YAML::NodeType::Sequence: {
        json list = json::array();
        for (const YAML::Node& entry : node) list.push_back(convert(entry, depth + 1));
        return list;
      }
      case YAML::NodeType::Scalar:
        return scalar(node);
      default:
        return nullptr;
    }
  }

 private:
  static bool is_plain(const YAML::Node& scalar) { return scalar.Tag() == "?"; }

  static json scalar(const YAML::Node& node) {
    const std::string& tag = node.Tag();
    const std::string& text = node.Scalar();
    if (!simdjson::validate_utf8(text)) throw YamlError(node.Mark(), "is not UTF-8");
    if (tag.empty() || tag == "?") return plain_scalar(text, node.Mark());
    for (const char* typed : {"null", "bool", "int", "float"}) {
      if (tag == std::string("tag:yaml.org,2002:") + typed) return plain_scalar(text, node.Mark());
    }
    return text;  // quoted, a block, or tagged as a string
  }

  json mapping(const YAML::Node& node, int depth) {
    json made = json::object();
    std::vector<YAML::Node> merged;
    for (const auto& entry : node) {
      if (!entry.first.IsScalar()) throw YamlError(entry.first.Mark(), "a key must be a scalar");
      if (is_plain(entry.first) && entry.first.Scalar() == "<<") {
        merged.push_back(entry.second);
        continue;
      }
      const std::string key = key_text(entry.first);
      if (made.contains(key)) throw YamlError(entry.first.Mark(), "duplicate key '" + key + "'");
      made[key] = convert(entry.second, depth + 1);
    }
    for (const YAML::Node& from : merged) merge(made, from, depth);
    return made;
  }

  /// Adds the members of `from` that `into` does not have.
  void merge(json& into, const YAML::Node& from, int depth) {
    if (depth > kMaxDepth) throw YamlError(from.Mark(), "nested too deeply");
    if (from.IsSequence()) {
      for (const YAML::Node& each : from) merge(into, each, depth + 1);
    } else if (from.IsMap()) {
      const json more = convert(from, depth + 1);
      for (const auto& [key, value] : more.items()) {
        if (!into.contains(key)) into[key] = value;
      }
    } else {
      throw YamlError(from.Mark(), "<< must be a mapping or a list of mappings");
    }
  }

  /// `8080: web` and `yes: 1` have the keys "8080" and "true".
  static std::string key_text(const YAML::Node& key) {
    const json value = scalar(key);
    return value.is_string() ? value.get<std::string>() : value.dump();
  }

  std::size_t values_left_ = kMaxValues;
};

bool is_letter_or_digit(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// A string that is clear without quotes: names, images, paths, base64.
bool is_plain_text(const std::string& text) {
  constexpr std::string_view kInside = "-_./:@=+";
  return !text.empty() && (is_letter_or_digit(text.front()) || text.front() == '/') &&
         (is_letter_or_digit(text.back()) || text.back() == '=') &&
         std::ranges::all_of(text,
                             [&](char c) {
                               return is_letter_or_digit(c) ||
                                      kInside.find(c) != std::string_view::npos;
                             }) &&
         plain_scalar(text, {}).is_string();
}

/// Lines that a block can show as they are, such as a script.
bool is_printable_lines(const std::string& text) {
  return text.find('\n') != std::string::npos && !text.ends_with("\n\n") &&
         std::isgraph(static_cast<unsigned char>(text.front())) != 0 &&
         std::ranges::all_of(text, [](char c) {
           return c == '\n' || std::isprint(static_cast<unsigned char>(c)) != 0;
         });
}

class Writer {
 public:
  Writer() { to_.SetNullFormat(YAML::LowerNull); }

  void write(const ordered_json& value) {
    switch (value.type()) {
      case ordered_json::value_t::object:
        if (value.empty()) to_ << YAML::Flow;
        to_ << YAML::BeginMap;
        for (const auto& [key, member] : value.items()) {
          to_ << YAML::Key;
          write_text(key);
          to_ << YAML::Value;
          write(member);
        }
        to_ << YAML::EndMap;
        break;
      case ordered_json::value_t::array:
        if (value.empty()) to_ << YAML::Flow;
        to_ << YAML::BeginSeq;
        for (const ordered_json& entry : value) write(entry);
        to_ << YAML::EndSeq;
        break;
      case ordered_json::value_t::string:
        write_text(value.get_ref<const std::string&>());
        break;
      case ordered_json::value_t::null:
        to_ << YAML::Null;
        break;
      default:  // numbers and booleans are the same in JSON and YAML
        to_ << YAML::Auto << value.dump();
    }
  }

  std::string text() const {
    std::string text = std::string(to_.c_str(), to_.size()) + '\n';
    for (auto block = unended_.rbegin(); block != unended_.rend(); ++block) {
      text.insert(text.find('|', *block) + 1, 1, '-');
    }
    return text;
  }

 private:
  void write_text(const std::string& text) {
    if (is_plain_text(text)) {
      to_ << text;
    } else if (is_printable_lines(text)) {
      if (!text.ends_with('\n')) unended_.push_back(to_.size());
      to_ << YAML::Literal << text;
    } else {
      to_ << YAML::DoubleQuoted << text;
    }
  }

  YAML::Emitter to_;
  /// Offsets of blocks whose string has no line feed at its end. yaml-cpp writes "|" for all
  /// blocks, which would add one: text() makes it "|-".
  std::vector<std::size_t> unended_;
};

}  // namespace

std::string to_yaml(const ordered_json& document) {
  Writer writer;
  writer.write(document);
  return writer.text();
}

std::string to_yaml(const std::vector<ordered_json>& documents) {
  std::string text;
  for (const ordered_json& document : documents) {
    if (!text.empty()) text += "---\n";
    text += to_yaml(document);
  }
  return text;
}

json to_json(const YAML::Node& document) { return Converter().convert(document); }

}  // namespace winadmit::manifests
