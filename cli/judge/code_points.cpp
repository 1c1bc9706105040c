#include "cli/judge/code_points.hpp"

#include <string_view>

#include "manifests/utf8.hpp"

namespace winadmit::cli {
namespace {

/// 0 if the line does not reach to the column.
int code_point_column(std::string_view line, int column) {
  const auto bytes = static_cast<std::size_t>(column - 1);
  if (column == 0 || bytes > line.size()) return 0;
  return static_cast<int>(manifests::count_code_points(line.substr(0, bytes))) + 1;
}

}  // namespace

manifests::Location code_point_location(manifests::Location location) {
  location.column = code_point_column(location.text, location.column);
  location.end_column = code_point_column(location.text, location.end_column);
  return location;
}

}  // namespace winadmit::cli
