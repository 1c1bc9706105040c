#include "cli/suppress/orphaned_comments.hpp"

#include <algorithm>
#include <ranges>

namespace winadmit::cli {
namespace {

using manifests::Document;
using manifests::NodeId;
using manifests::TextEdit;

/// Behind the line end of the line at the offset.
std::size_t next_line(const Document& document, std::size_t offset) {
  const std::size_t end = document.text().find('\n', offset);
  return end == std::string_view::npos ? document.text().size() : end + 1;
}

bool is_removed(std::size_t offset, const std::vector<TextEdit>& edits) {
  return std::ranges::any_of(edits, [offset](const TextEdit& each) {
    return is_removal(each) && each.begin <= offset && offset < each.end;
  });
}

/// Whether the edits remove all keys and values that begin in the line.
bool loses_fields(const Document& document, std::size_t line, const std::vector<TextEdit>& edits) {
  const std::ranges::iota_view ids(NodeId{0}, static_cast<NodeId>(document.size()));
  const auto begin = [&](NodeId id) { return document[id].begin; };  // in the order of the text
  const auto first = std::ranges::lower_bound(ids, line, {}, begin);
  const auto end = std::ranges::lower_bound(ids, next_line(document, line), {}, begin);
  const auto is_kept = [&](NodeId id) {
    const bool has_children = document[id].kind != manifests::Node::Kind::alias &&
                              document[id].first != manifests::kNoNode;
    return !has_children && !is_removed(document[id].begin, edits);
  };
  return first != end && std::ranges::none_of(first, end, is_kept);
}

}  // namespace

std::vector<IgnoreComment> find_orphaned_comments(const Document& document,
                                                  const std::vector<TextEdit>& edits) {
  std::vector<IgnoreComment> orphaned;
  if (std::ranges::none_of(edits, manifests::is_removal)) return orphaned;
  for (IgnoreComment& each : find_ignore_comments(document)) {
    const bool has_own_line = each.applies_to > each.line;
    const bool is_found = !orphaned.empty() && orphaned.back().line == each.line;
    if (has_own_line && !is_found && loses_fields(document, each.applies_to_begin, edits))
      orphaned.push_back(std::move(each));
  }
  return orphaned;
}

void remove_comment(const Document& document, const IgnoreComment& comment,
                    std::vector<TextEdit>& edits) {
  if (is_removed(comment.begin, edits)) return;
  edits.push_back({comment.begin, next_line(document, comment.begin)});
}

}  // namespace winadmit::cli
