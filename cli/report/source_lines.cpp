#include "cli/report/source_lines.hpp"

#include <algorithm>
#include <filesystem>

namespace winadmit::cli {

std::string_view SourceLines::line(const std::string& file, int number) {
  if (file != file_ || number < number_) {
    file_ = file;
    number_ = 0;
    line_.clear();
    stream_ = std::ifstream();
    std::error_code error;
    if (std::filesystem::is_regular_file(file, error)) stream_.open(file, std::ios::binary);
  }
  while (number_ < number) {
    if (!stream_.is_open() || !std::getline(stream_, line_)) return {};
    ++number_;
  }
  std::string_view found = line_;
  if (found.ends_with('\r')) found.remove_suffix(1);
  return found;
}

std::string_view SourceLines::line(const manifests::Location& location) {
  if (!location.text.empty()) return location.text;
  return location.line > 0 ? line(location.file, location.line) : std::string_view();
}

Underline find_underline(const manifests::Location& location, std::string_view line) {
  const auto begin = static_cast<std::size_t>(std::max(location.column, 1)) - 1;
  if (location.column == 0 || begin >= line.size()) return {};
  if (location.end_column > location.column) {
    const auto end = static_cast<std::size_t>(location.end_column) - 1;
    return {begin, std::min(end, line.size()) - begin};
  }
  const std::size_t end = std::min(line.find_first_of(": ,}]", begin + 1), line.size());
  return {begin, end - begin};
}

}  // namespace winadmit::cli
