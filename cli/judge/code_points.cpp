#include "cli/judge/code_points.hpp"

#include <string_view>

#include "manifests/utf8.hpp"

namespace winadmit::cli {
namespace {

int column_behind(std::string_view text) {
  return static_cast<int>(manifests::count_code_points(text)) + 1;
}

/// 0 if the line does not reach to the column.
int code_point_column(std::string_view line, int column) {
  const auto bytes = static_cast<std::size_t>(column - 1);
  return column > 0 && bytes <= line.size() ? column_behind(line.substr(0, bytes)) : 0;
}

}  // namespace

manifests::Position code_point_position(const manifests::Document& document, std::size_t offset) {
  manifests::Position at = document.position(offset);
  const auto bytes = static_cast<std::size_t>(at.column - 1);
  at.column = column_behind(document.text().substr(offset - bytes, bytes));
  return at;
}

manifests::Location code_point_location(manifests::Location location) {
  location.column = code_point_column(location.text, location.column);
  location.end_column = code_point_column(location.text, location.end_column);
  return location;
}

}  // namespace winadmit::cli
