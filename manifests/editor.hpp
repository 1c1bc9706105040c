// The edits for changed collections. edit() is for callers.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "manifests/document.hpp"
#include "manifests/layout.hpp"
#include "manifests/text_edit.hpp"

namespace winadmit::manifests {

/// The parent of each node, and the key of each member.
class ParentIndex {
 public:
  explicit ParentIndex(const Document& document);
  NodeId parent(NodeId id) const { return parents_[id]; }
  /// kNoNode for an entry of a list and for a root.
  NodeId key(NodeId id) const { return keys_[id]; }

 private:
  std::vector<NodeId> parents_;
  std::vector<NodeId> keys_;
};

inline constexpr const char* kExplicitKey = "the key follows a question mark";
inline constexpr const char* kCommentInside = "a comment is before the end of the value";
inline constexpr const char* kCommentAtRemovedEnd =
    "the last entry of the brackets is removed, others are added, and a comment is before or "
    "beside it";
inline constexpr const char* kHasProperties = "it has an anchor or a tag";

/// Collects changes of collections, and makes text edits of them. Throws EditError.
class Editor {
 public:
  explicit Editor(const Document& document)
      : document_(document),
        text_(document.text()),
        parents_(document),
        layout_(find_layout(document)) {}

  /// The member with this key.
  void remove(NodeId key) { changes_[parents_.parent(key)].removed.insert(key); }

  /// A member, or with an empty key an entry at the end.
  void add(NodeId collection, const std::string& key, const nlohmann::ordered_json& value);

  /// Replaces the null of a member.
  void replace(NodeId value, const nlohmann::ordered_json& by) { replaced_[value] = by; }

  std::vector<TextEdit> finish();

 private:
  struct Change {
    std::set<NodeId> removed;  // keys
    std::vector<std::pair<std::string, nlohmann::ordered_json>> added;
  };
  struct Entry {
    NodeId key = kNoNode;  // of a mapping
    NodeId value = kNoNode;
    std::size_t begin = 0;
    std::size_t end = 0;
    bool is_removed = false;
  };

  std::vector<Entry> entries_of(NodeId collection, const Change& change) const;

  // Blocks.
  void change_block(NodeId collection, const Change& change);
  void remove_lines(const Entry& entry);
  std::size_t remove_compact(const std::vector<Entry>& entries);
  std::size_t properties_end(NodeId node) const;
  void empty_block(NodeId mapping, const std::vector<Entry>& entries);
  void append_members(NodeId mapping, const Change& change);
  void append_entries(NodeId list, const Change& change);
  /// Comments at the column or deeper belong to what is before them.
  void insert_lines_after(std::size_t offset, const std::string& lines, std::size_t column);
  void replace_in_block(NodeId key, NodeId value, const nlohmann::ordered_json& by);

  // Brackets.
  void change_flow(NodeId collection, const Change& change);
  bool has_comment(std::size_t begin, const std::vector<Entry>& entries, std::size_t end) const;
  void remove_beside_comments(const std::vector<Entry>& entries);
  void empty_flow(NodeId collection, const std::vector<Entry>& entries);
  void append_to_flow(NodeId collection, const std::vector<Entry>& entries, const Change& change);
  void replace_in_flow(NodeId value, const nlohmann::ordered_json& by);
  bool closes_on_own_line(NodeId collection) const;
  FlowStyle flow_style(NodeId collection) const;
  NodeId last_flow_mapping(NodeId list) const;

  // Places in the text.
  bool is_empty_flow(NodeId collection) const;
  bool is_in_block(NodeId value) const;
  std::size_t line_begin(std::size_t offset) const;
  std::size_t line_end(std::size_t offset) const;  // before its end
  std::string indent_of_line(std::size_t offset) const;
  /// The offset after the comment lines that follow `offset`: those with a comment alone, at
  /// `column` or deeper.
  std::size_t after_comments(std::size_t offset, std::size_t column) const;
  std::size_t colon_of(NodeId key) const;
  bool is_compact(const Entry& entry) const;
  void refuse_explicit_key(const Entry& entry) const;
  std::string_view before_in_line(const Entry& entry) const;

  const Document& document_;
  std::string_view text_;
  ParentIndex parents_;
  Layout layout_;
  std::map<NodeId, Change, std::greater<>> changes_;  // inner collections before outer ones
  std::map<NodeId, nlohmann::ordered_json, std::greater<>> replaced_;
  std::vector<TextEdit> edits_;
};

}  // namespace winadmit::manifests
