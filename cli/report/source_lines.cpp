#include "cli/report/source_lines.hpp"

#include <algorithm>
#include <filesystem>

namespace winadmit::cli {

std::string SourceLines::line(const std::string& file, int number) {
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
  return line_.ends_with('\r') ? line_.substr(0, line_.size() - 1) : line_;
}

std::string SourceLines::line(const manifests::Location& location) {
  if (!location.text.empty()) return location.text;
  return location.line > 0 ? line(location.file, location.line) : std::string();
}

Underline find_underline(const manifests::Location& location, const std::string& line) {
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
