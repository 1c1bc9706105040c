#include "manifests/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "manifests/source_comment.hpp"
#include "manifests/utf8.hpp"

namespace winadmit::manifests {

void ValueCount::fail(std::size_t offset) const {
  std::string what = fmt::format("{} more than {} keys and values", verb_, most_);
  if (!flag_.empty())
    what += fmt::format(", one for each {} bytes of {}", Limits::kBytesOfValue, flag_);
  throw LimitError(offset, what);
}

LimitError too_deep(std::size_t offset, const Limits& limits) {
  return {offset, fmt::format("has more than {} levels of mappings and lists{}", limits.depth,
                              limits.hint("--max-depth"))};
}

ParseError template_error(std::size_t offset) {
  ParseError error(offset,
                   "is a template and no YAML: render it first, a Helm chart with helm template, "
                   "or leave the file out with --exclude");
  error.is_template = true;
  return error;
}

LimitError too_large(const Limits& limits) {
  constexpr std::size_t kMebibyte = std::size_t{1} << 20U;
  const std::size_t size = limits.document_size;
  const std::string text = size % kMebibyte == 0 ? fmt::format("{} MiB", size / kMebibyte)
                                                 : fmt::format("{} bytes", size);
  return {0, "the document is larger than " + text + limits.hint("--max-document-size")};
}

std::string_view Document::tag_of(NodeId id) const {
  if (!nodes_[id].has_tag) return {};
  return std::ranges::lower_bound(tags_, id, {}, &Tag::node)->text;
}

void Document::set_tag(NodeId id, std::string tag) {
  nodes_[id].has_tag = true;
  tags_.push_back({id, std::move(tag)});
}

void Document::clear() {
  nodes_.clear();
  roots_.clear();
  tags_.clear();
  kept_.clear();
}

void Document::find_lines() const {
  line_begins_.push_back(0);
  for (std::size_t end = 0; (end = text_.find('\n', end)) != std::string::npos; ++end) {
    line_begins_.push_back(static_cast<std::uint32_t>(end + 1));
  }
}

std::size_t Document::lines_up_to(std::size_t offset) const {
  if (line_begins_.empty()) find_lines();
  return static_cast<std::size_t>(std::ranges::upper_bound(line_begins_, offset) -
                                  line_begins_.begin());
}

Position Document::position(std::size_t offset) const {
  const std::size_t line = lines_up_to(offset);
  const std::size_t before = line == 1 ? start_.bytes : 0;
  return {.line = static_cast<int>(start_.lines + line),
          .column = static_cast<int>(before + offset - line_begins_[line - 1] + 1)};
}

Position Document::code_point_position(std::size_t offset) const {
  const std::size_t line = lines_up_to(offset);
  const std::size_t begin = line_begins_[line - 1];
  const std::size_t before = line == 1 ? start_.code_points : 0;
  const std::size_t after = count_code_points(text().substr(begin, offset - begin));
  return {.line = static_cast<int>(start_.lines + line),
          .column = static_cast<int>(before + after + 1)};
}

std::string_view Document::source_file() const {
  if (!source_file_) source_file_ = find_source_comment(text_);
  return *source_file_;
}

bool Document::is_line_cut(std::size_t offset) const {
  return start_.bytes > 0 && lines_up_to(offset) == 1;
}

std::string_view Document::line_at(std::size_t offset) const {
  const std::size_t line = lines_up_to(offset);
  const std::size_t begin = line_begins_[line - 1];
  const std::size_t end = line < line_begins_.size() ? line_begins_[line] - 1 : text_.size();
  std::string_view found = std::string_view(text_).substr(begin, end - begin);
  if (found.ends_with('\r')) found.remove_suffix(1);
  return found;
}

}  // namespace winadmit::manifests
