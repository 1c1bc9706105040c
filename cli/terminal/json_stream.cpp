#include "cli/terminal/json_stream.hpp"

#include "text/log_commands.hpp"

namespace winadmit::cli {
namespace {

std::string indented(const std::string& text, const std::string& indent) {
  std::string made;
  for (const char c : text) {
    made += c;
    if (c == '\n') made += indent;
  }
  return made;
}

}  // namespace

std::string to_ascii_json(const nlohmann::ordered_json& value) {
  return escape_command_brackets(
      value.dump(2, ' ', true, nlohmann::ordered_json::error_handler_t::replace), "\\u005b");
}

void JsonList::add(const nlohmann::ordered_json& entry) {
  out_ << (is_empty_ ? "\n" : ",\n") << indent_ << indented(to_ascii_json(entry), indent_);
  is_empty_ = false;
}

void JsonList::end() {
  if (!is_empty_) out_ << '\n' << indent_.substr(2);
  out_ << ']';
}

void write_member(std::ostream& out, int depth, const std::string& name,
                  const nlohmann::ordered_json& value) {
  const std::string indent(2 * static_cast<std::size_t>(depth), ' ');
  out << indent << to_ascii_json(name) << ": " << indented(to_ascii_json(value), indent);
}

}  // namespace winadmit::cli
