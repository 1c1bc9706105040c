// One document of a manifest file: its text, and the place of every key and value in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <forward_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace winadmit::manifests {

/// What a file may ask of memory.
struct Limits {
  static constexpr std::size_t kDocumentSize = std::size_t{16} << 20U;
  /// Largest value of the flags for sizes: a node has its offsets in 32 bits.
  static constexpr std::size_t kMaxSize = std::size_t{1} << 30U;
  static constexpr std::size_t kDepth = 200;
  /// Largest value of the flag: simdjson, which reads the JSON of a document, has 1,024.
  static constexpr std::size_t kMaxDepth = 1000;
  /// A key or a value may take each so many bytes of a size.
  static constexpr std::size_t kBytesOfValue = 16;

  std::size_t document_size = kDocumentSize;   // bytes
  std::optional<std::size_t> alias_size = {};  // bytes; as document_size if there is none
  std::size_t depth = kDepth;                  // levels of mappings and lists in each other
  bool have_flags = false;                     // the command has flags for them, to be named

  /// The end of a message: which flag sets the limit, if the command has one.
  std::string hint(std::string_view flag) const {
    return have_flags ? " (" + std::string(flag) + ')' : std::string();
  }

  std::size_t size_of_aliases() const { return alias_size.value_or(document_size); }

  /// Of a document that was edited: what was added does not count as input. No edit adds a level
  /// below those of a pod.
  Limits for_edited() const {
    Limits doubled = *this;
    doubled.document_size *= 2;
    if (alias_size) doubled.alias_size = 2 * *alias_size;
    return doubled;
  }
};

inline constexpr const char* kNotUtf8 = "is not UTF-8; save the file as UTF-8";

/// A document that is not YAML or JSON, or has no JSON form.
class ParseError : public std::runtime_error {
 public:
  ParseError(std::size_t at, const std::string& what) : std::runtime_error(what), offset(at) {}
  std::size_t offset;        // in the text of the document
  bool is_template = false;  // kubectl cannot read it either before it is rendered
};

/// Begins what a template fills in, of Helm, Go and others.
inline constexpr std::string_view kTemplateMark = "{{";

/// Of a template with a mark at the offset.
ParseError template_error(std::size_t offset);

/// A document that asks for more than the limits permit.
class LimitError : public ParseError {
 public:
  using ParseError::ParseError;
};

/// Counts the keys and values of a document, or those that its aliases stand for.
class ValueCount {
 public:
  static ValueCount of_document(const Limits& limits) {
    return {limits.document_size, "has", limits.have_flags ? "--max-document-size" : ""};
  }
  static ValueCount of_aliases(const Limits& limits) {
    return {limits.size_of_aliases(), "has aliases for",
            limits.have_flags ? "--max-alias-size" : ""};
  }

  std::size_t most() const { return most_; }

  /// Counts one at the offset. Throws LimitError if it is one too many.
  void add(std::size_t offset) {
    if (++count_ > most_) fail(offset);
  }

 private:
  ValueCount(std::size_t size, const char* verb, std::string_view flag)
      : most_(size / Limits::kBytesOfValue), verb_(verb), flag_(flag) {}

  [[noreturn]] void fail(std::size_t offset) const;

  std::size_t most_;
  const char* verb_;
  std::string_view flag_;  // empty: the command has none
  std::size_t count_ = 0;
};

/// Of more levels than the limit, at the offset.
LimitError too_deep(std::size_t offset, const Limits& limits);

/// Of a document, or an item of a list, with more bytes than the limit.
LimitError too_large(const Limits& limits);

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = UINT32_MAX;

/// A value or a key. The children of a mapping are keys and values in turn.
struct Node {
  enum class Kind : std::uint8_t { scalar, sequence, mapping, alias };

  Kind kind = Kind::scalar;
  bool is_flow = false;      // a collection in brackets
  bool is_resolved = false;  // a scalar whose text decides on its type: neither quotes nor a block
  bool has_anchor = false;
  bool has_tag = false;  // Document::tag_of has it
  // The bytes of the text. `begin` is that of an anchor or a tag, if there is one. A block ends
  // after its last entry.
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  NodeId first = kNoNode;  // the first child; of an alias, what it stands for
  NodeId next = kNoNode;   // the next child of the parent
  std::string_view text;   // of a scalar, without quotes and escapes
};

/// A place in the file. Both count from 1.
struct Position {
  int line = 1;
  int column = 1;  // in bytes
};

/// What of a file is before a text.
struct TextStart {
  std::size_t lines = 0;        // that have ended
  std::size_t bytes = 0;        // in the line in which the text begins
  std::size_t code_points = 0;  // the same
};

class Document {
 public:
  /// `tail`: the bytes at the end of the text that are of what the value is in, as a comma.
  explicit Document(std::string text, const TextStart& start = {}, std::size_t tail = 0)
      : text_(std::move(text)), start_(start), tail_(tail) {}
  Document(const Document&) = delete;  // nodes borrow the text
  Document& operator=(const Document&) = delete;

  std::string_view text() const { return text_; }
  std::size_t tail() const { return tail_; }
  const Node& operator[](NodeId id) const { return nodes_[id]; }
  Node& operator[](NodeId id) { return nodes_[id]; }
  std::size_t size() const { return nodes_.size(); }

  /// The values at the top. YAML may have several: "..." ends one.
  const std::vector<NodeId>& roots() const { return roots_; }

  /// What an alias stands for; else `id`.
  NodeId resolved(NodeId id) const {
    return nodes_[id].kind == Node::Kind::alias ? nodes_[id].first : id;
  }
  /// As it is written in full: "tag:yaml.org,2002:str". Empty if there is none.
  std::string_view tag_of(NodeId id) const;

  Position position(std::size_t offset) const;
  /// The same, with a column that counts code points, as SARIF does.
  Position code_point_position(std::size_t offset) const;
  /// The line at the offset, without its end, as far as it is in the text.
  std::string_view line_at(std::size_t offset) const;
  /// The file that a comment before the first value names (source_comment.hpp), or "".
  std::string_view source_file() const;
  /// Of the list that the document is an item of.
  void set_source_file(std::string_view file) { source_file_ = keep(std::string(file)); }
  /// Whether a part of that line is before the text: JSON values may follow one another in a line.
  bool is_line_cut(std::size_t offset) const;

  bool is_json() const { return is_json_; }

  // For the parsers.
  void set_json() { is_json_ = true; }
  NodeId add(const Node& node) {
    nodes_.push_back(node);
    return static_cast<NodeId>(nodes_.size() - 1);
  }
  /// Removes all nodes, so that the text can be parsed again.
  void clear();
  void reserve(std::size_t nodes) { nodes_.reserve(nodes); }
  void add_root(NodeId id) { roots_.push_back(id); }
  /// `last`: the last child so far; kNoNode if there is none.
  void append_child(NodeId parent, NodeId last, NodeId child) {
    NodeId& link = last == kNoNode ? nodes_[parent].first : nodes_[last].next;
    link = child;
  }
  void set_tag(NodeId id, std::string tag);
  /// Text that lives as long as the document.
  std::string_view keep(std::string text) { return kept_.emplace_front(std::move(text)); }

 private:
  struct Tag {
    NodeId node;
    std::string text;
  };

  void find_lines() const;
  /// Those that begin at the offset or before it: at least one.
  std::size_t lines_up_to(std::size_t offset) const;

  std::string text_;
  TextStart start_;
  std::size_t tail_;
  mutable std::vector<std::uint32_t> line_begins_;  // found for the first position
  mutable std::optional<std::string_view> source_file_;
  bool is_json_ = false;
  std::vector<Node> nodes_;
  std::vector<NodeId> roots_;
  std::vector<Tag> tags_;  // ordered by node
  std::forward_list<std::string> kept_;
};

}  // namespace winadmit::manifests
