#include "manifests/document.hpp"

#include <algorithm>
#include <utility>

namespace winadmit::manifests {

std::string_view Document::tag_of(NodeId id) const {
  if (!nodes_[id].has_tag) return {};
  return std::ranges::lower_bound(tags_, id, {}, &Tag::node)->text;
}

void Document::set_tag(NodeId id, std::string tag) {
  nodes_[id].has_tag = true;
  tags_.push_back({id, std::move(tag)});
}

NodeId Document::add(const Node& node) {
  nodes_.push_back(node);
  return static_cast<NodeId>(nodes_.size() - 1);
}

Position Document::position(std::size_t offset) const {
  const std::string_view before = std::string_view(text_).substr(0, offset);
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  const auto lines = static_cast<std::size_t>(std::ranges::count(before, '\n'));
  return {.line = static_cast<int>(first_line_ + lines + 1),
          .column = static_cast<int>(before.size() - line_begin + 1)};
}

std::string_view Document::line_at(std::size_t offset) const {
  const std::string_view text = text_;
  const std::size_t begin = offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
  std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace winadmit::manifests
