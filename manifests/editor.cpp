#include "manifests/editor.hpp"

#include <algorithm>

#include "manifests/characters.hpp"
#include "manifests/edit.hpp"
#include "text/text.hpp"

namespace winadmit::manifests {

using nlohmann::ordered_json;

ParentIndex::ParentIndex(const Document& document)
    : parents_(document.size(), kNoNode), keys_(document.size(), kNoNode) {
  for (NodeId id = 0; id < document.size(); ++id) {
    const Node& node = document[id];
    if (node.kind != Node::Kind::mapping && node.kind != Node::Kind::sequence) continue;
    NodeId key = kNoNode;
    for (NodeId child = node.first; child != kNoNode; child = document[child].next) {
      parents_[child] = id;
      keys_[child] = key;
      const bool is_key = node.kind == Node::Kind::mapping && key == kNoNode;
      key = is_key ? child : kNoNode;
    }
  }
}

void Editor::add(NodeId collection, const std::string& key, const ordered_json& value) {
  const bool has_tag_or_anchor = document_[collection].has_anchor || document_[collection].has_tag;
  if (!has_tag_or_anchor && is_empty_flow(collection)) {
    const auto [now, is_new] = replaced_.try_emplace(
        collection, key.empty() ? ordered_json::array() : ordered_json::object());
    if (key.empty()) {
      now->second.push_back(value);
    } else {
      now->second[key] = value;
    }
    return;
  }
  // Two objects that share a collection need the same once.
  auto& added = changes_[collection].added;
  const std::pair entry(key, value);
  if (std::ranges::find(added, entry) == added.end()) added.push_back(entry);
}

std::vector<TextEdit> Editor::finish() {
  for (const auto& [value, by] : replaced_) {
    if (is_in_block(value)) {
      replace_in_block(parents_.key(value), value, by);
    } else {
      replace_in_flow(value, by);
    }
  }
  for (const auto& [collection, change] : changes_) {
    if (document_[collection].is_flow) {
      change_flow(collection, change);
    } else {
      change_block(collection, change);
    }
  }
  if (!sort_edits(edits_)) refuse_edit(edits_.front().begin);
  keep_missing_line_end(text_, edits_);
  return std::move(edits_);
}

std::vector<Editor::Entry> Editor::entries_of(NodeId collection, const Change& change) const {
  std::vector<Entry> entries;
  const bool is_mapping = document_[collection].kind == Node::Kind::mapping;
  for (NodeId each = document_[collection].first; each != kNoNode;) {
    const NodeId value = is_mapping ? document_[each].next : each;
    entries.push_back({.key = is_mapping ? each : kNoNode,
                       .value = value,
                       .begin = document_[each].begin,
                       .end = std::max(document_[each].end, document_[value].end),
                       .is_removed = change.removed.contains(each)});
    each = document_[value].next;
  }
  return entries;
}

bool Editor::is_empty_flow(NodeId collection) const {
  return document_[collection].is_flow && document_[collection].first == kNoNode;
}

bool Editor::is_in_block(NodeId value) const {
  const NodeId parent = parents_.parent(value);
  return parent != kNoNode && document_[parent].kind == Node::Kind::mapping &&
         !document_[parent].is_flow;
}

std::size_t Editor::line_begin(std::size_t offset) const {
  return offset - column_of(text_, offset);
}

std::size_t Editor::line_end(std::size_t offset) const {
  const std::size_t end = std::min(text_.find('\n', offset), text_.size());
  return end > offset && end < text_.size() && text_[end - 1] == '\r' ? end - 1 : end;
}

std::string Editor::indent_of_line(std::size_t offset) const {
  const std::size_t begin = line_begin(offset);
  const std::size_t end = std::min(text_.find_first_not_of(kBlank, begin), text_.size());
  return std::string(text_.substr(begin, end - begin));
}

std::size_t Editor::after_comments(std::size_t offset, std::size_t column) const {
  for (std::size_t line = offset; line < text_.size(); line = next_line_begin(text_, line)) {
    const std::size_t first = text_.find_first_not_of(kBlank, line);
    if (first == std::string_view::npos || text_[first] != '#' || first - line < column) break;
    offset = next_line_begin(text_, line);
  }
  return offset;
}

std::size_t Editor::colon_of(NodeId key) const {
  const std::size_t colon = text_.find_first_not_of(kBlank, document_[key].end);
  if (colon == std::string_view::npos || text_[colon] != ':')
    refuse_edit(document_[key].begin, kExplicitKey);
  return colon;
}

}  // namespace winadmit::manifests
