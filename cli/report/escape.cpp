#include "cli/report/escape.hpp"

#include <fmt/format.h>

#include <cctype>
#include <iterator>

#include "text/printable.hpp"

namespace winadmit::cli {
namespace {

constexpr std::string_view kNotInData = "%\r\n";
constexpr std::string_view kNotInProperties = "%\r\n:,";

std::string percent_encode(std::string_view text, std::string_view characters) {
  std::string encoded;
  for (const char c : printable(text)) {
    if (characters.find(c) == characters.npos) {
      encoded += c;
    } else {
      fmt::format_to(std::back_inserter(encoded), "%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return encoded;
}

std::string_view entity(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

}  // namespace

std::string escape_markup(std::string_view text) {
  std::string escaped;
  for (const char c : printable(text)) {
    if (const std::string_view name = entity(c); !name.empty()) {
      escaped += name;
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string escape_workflow_data(std::string_view text) { return percent_encode(text, kNotInData); }

std::string escape_workflow_property(std::string_view text) {
  return percent_encode(text, kNotInProperties);
}

std::string escape_sarif(std::string_view text) {
  std::string escaped;
  for (std::size_t i = 0; i < text.size(); ++i) {
    // Backslashes before a bracket would escape the one that is added.
    const std::size_t bracket = std::min(text.find_first_not_of('\\', i), text.size());
    if (text.substr(bracket).starts_with("](")) escaped += '\\';
    escaped += text[i];
    if (text[i] == '{' || text[i] == '}') escaped += text[i];
  }
  return escaped;
}

std::string escape_uri_path(std::string_view path) {
  constexpr std::string_view kUnreserved = "-._~/";
  std::string encoded;
  for (const char c : path) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || kUnreserved.find(c) != path.npos) {
      encoded += c;
    } else {
      fmt::format_to(std::back_inserter(encoded), "%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return encoded;
}

}  // namespace winadmit::cli
