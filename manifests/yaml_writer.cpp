#include "manifests/yaml_writer.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "manifests/scalar.hpp"

namespace winadmit::manifests {
namespace {

using nlohmann::ordered_json;

bool is_letter_or_digit(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

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

bool is_plain_text(const std::string& text) {
  constexpr std::string_view kInside = "-_./:@=+";
  return !text.empty() && (is_letter_or_digit(text.front()) || text.front() == '/') &&
         (is_letter_or_digit(text.back()) || text.back() == '=') &&
         std::ranges::all_of(text,
                             [&](char c) {
                               return is_letter_or_digit(c) ||
                                      kInside.find(c) != std::string_view::npos;
                             }) &&
         is_string_without_quotes(text);
}

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

}  // namespace winadmit::manifests
