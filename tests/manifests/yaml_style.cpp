#include "tests/manifests/yaml_style.hpp"

#include <algorithm>

#include "manifests/yaml_writer.hpp"

namespace winadmit::test {
namespace {

using nlohmann::json;

std::string spaces(std::size_t count) { return std::string(count, ' '); }

std::string pointer(const std::string& at, const std::string& token) {
  return (json::json_pointer(at) / token).to_string();
}

bool is_block_text(const std::string& text) {
  return text.size() > 1 && text.ends_with('\n') && !text.ends_with("\n\n") && text.front() > ' ' &&
         std::ranges::all_of(text, [](char c) { return c == '\n' || (c >= ' ' && c < 0x7F); });
}

}  // namespace

StyledYaml::StyledYaml(const json& object, std::mt19937& random)
    : random_(random),
      line_end_(chance(25) ? "\r\n" : "\n"),
      step_(chance(50) ? 2 : 4),
      list_indent_(chance(50) ? 0 : step_),
      flow_percent_(chance(50) ? 0 : 25),
      comment_percent_(chance(30) ? 0 : 20) {
  if (chance(10)) text_ += "\xEF\xBB\xBF";
  if (chance(10)) {
    text_ += chance(50) ? object.dump() : object.dump(chance(50) ? 2 : 4);
    text_ += chance(50) ? "\n" : "";
    return;
  }
  if (chance(30)) text_ += "---" + line_end_;
  write_members(object, 0, "", false);
  if (chance(20)) {
    while (text_.ends_with('\n') || text_.ends_with('\r')) text_.pop_back();
  } else if (chance(20)) {
    text_ += "..." + line_end_;
  }
}

void StyledYaml::write_comment(std::size_t column, const std::string& at) {
  if (chance(5)) text_ += line_end_;
  if (!chance(comment_percent_)) return;
  comments_.push_back(
      {.text = "# comment " + std::to_string(comments_.size()) + " \u00e9:", .in = at});
  text_ += spaces(column) + comments_.back().text + line_end_;
}

void StyledYaml::write_line_comment() {
  if (chance(comment_percent_ / 2)) text_ += "  # on the line";
}

void StyledYaml::write_members(const json& object, std::size_t column, const std::string& at,
                               bool is_behind_dash) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  std::ranges::shuffle(keys, random_);
  for (const std::string& key : keys) {
    if (!is_behind_dash) {
      write_comment(column, at);
      text_ += spaces(column);
    }
    is_behind_dash = false;
    text_ += scalar(key, false) + ':';
    write_value(object[key], column, pointer(at, key));
  }
}

void StyledYaml::write_entries(const json& list, std::size_t column, const std::string& at) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    write_comment(column, at);
    const std::string entry = pointer(at, std::to_string(i));
    text_ += spaces(column) + '-';
    if (list[i].is_object() && !list[i].empty() && !chance(flow_percent_)) {
      const std::size_t width = chance(10) ? 4 : 2;
      text_ += spaces(width - 1);
      write_members(list[i], column + width, entry, true);
    } else if (list[i].is_structured()) {
      text_ += ' ' + flow(list[i], column, entry) + line_end_;
    } else {
      write_value(list[i], column, entry);
    }
  }
}

/// Behind a colon or a dash, with the end of the line.
void StyledYaml::write_value(const json& value, std::size_t column, const std::string& at) {
  const bool is_block = value.is_structured() && !value.empty() && !chance(flow_percent_);
  if (is_block) {
    write_line_comment();
    text_ += line_end_;
    if (value.is_object()) {
      write_members(value, column + step_, at, false);
    } else {
      write_entries(value, column + list_indent_, at);
    }
    return;
  }
  if (value.is_string() && is_block_text(value.get<std::string>()) && chance(70)) {
    text_ += " |" + line_end_;
    std::string lines = value;
    lines.pop_back();
    for (std::size_t begin = 0; begin <= lines.size();) {
      const std::size_t end = std::min(lines.find('\n', begin), lines.size());
      if (end > begin) text_ += spaces(column + step_) + lines.substr(begin, end - begin);
      text_ += line_end_;
      begin = end + 1;
    }
    return;
  }
  if (value.is_null() && chance(50)) {
    write_line_comment();
  } else {
    text_ += spaces(chance(10) ? 2 : 1) +
             (value.is_structured() ? flow(value, column, at) : scalar(value, false));
    write_line_comment();
  }
  text_ += line_end_;
}

std::string StyledYaml::flow(const json& value, std::size_t column, const std::string& at) {
  if (!value.is_structured()) return scalar(value, true);
  if (comment_percent_ > 0 && !value.empty() && chance(30)) return flow_lines(value, column, at);
  std::string text;
  const std::string comma = chance(70) ? ", " : chance(50) ? "," : " , ";
  for (const auto& [key, member] : value.items()) {
    if (!text.empty()) text += comma;
    if (value.is_object()) text += scalar(key, true) + ": ";
    text += flow(member, column, pointer(at, key));
  }
  const std::string space = !text.empty() && chance(30) ? " " : "";
  text = space + text + space;
  return value.is_object() ? '{' + text + '}' : '[' + text + ']';
}

/// Brackets with a line for each entry, and comments.
std::string StyledYaml::flow_lines(const json& value, std::size_t column, const std::string& at) {
  const std::size_t inner = column + step_;
  const bool has_last_comma = chance(20);
  std::string text;
  std::size_t left = value.size();
  const auto add_comment = [&](const std::string& in, bool is_behind) {
    comments_.push_back({.text = "# comment " + std::to_string(comments_.size()) + " in brackets:",
                         .in = in,
                         .is_behind = is_behind});
    text += comments_.back().text;
  };
  for (const auto& [key, member] : value.items()) {
    if (chance(comment_percent_)) {
      text += line_end_ + spaces(inner);
      add_comment(at, false);
    }
    text += line_end_ + spaces(inner);
    if (value.is_object()) text += scalar(key, true) + ": ";
    text += flow(member, inner, pointer(at, key));
    if (--left > 0 || has_last_comma) text += ',';
    if (!member.is_structured() && chance(2 * comment_percent_)) {
      text += ' ';
      add_comment(pointer(at, key), true);
    }
  }
  text += line_end_ + spaces(column + 1);
  return value.is_object() ? '{' + text + '}' : '[' + text + ']';
}

std::string StyledYaml::scalar(const json& value, bool is_in_flow) {
  if (!value.is_string()) return value.dump();
  const auto text = value.get<std::string>();
  if (manifests::is_plain_text(text) && !chance(20)) return text;
  const bool is_simple = std::ranges::all_of(text, [](char c) { return c >= ' ' && c < 0x7F; });
  if (!is_simple || is_in_flow || chance(50)) return value.dump();
  std::string single;
  for (const char c : text) single += c == '\'' ? "''" : std::string(1, c);
  return '\'' + single + '\'';
}

}  // namespace winadmit::test
