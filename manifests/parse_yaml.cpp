#include "manifests/parse_yaml.hpp"

#include <yaml.h>

#include <algorithm>
#include <new>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "manifests/utf8.hpp"
#include "text/text.hpp"

namespace winadmit::manifests {
namespace {

/// libyaml counts characters; the document counts bytes. Its marks are close to one another, so
/// this walks from the last one.
class ByteOffsets {
 public:
  /// `begin`: where libyaml begins to read.
  ByteOffsets(std::string_view text, std::size_t begin)
      : text_(text), begin_(begin), byte_(begin), is_ascii_(std::ranges::all_of(text, [](char c) {
          return static_cast<unsigned char>(c) < 0x80U;
        })) {
    if (text.substr(begin).starts_with(kByteOrderMark))
      byte_ += kByteOrderMark.size();  // libyaml skips it
  }

  std::uint32_t at(const yaml_mark_t& mark) {
    if (is_ascii_) return static_cast<std::uint32_t>(std::min(begin_ + mark.index, text_.size()));
    for (; character_ < mark.index && byte_ < text_.size(); ++character_) {
      do ++byte_;
      while (byte_ < text_.size() && continues(byte_));
    }
    for (; character_ > mark.index && byte_ > begin_; --character_) {
      do --byte_;
      while (byte_ > 0 && continues(byte_));
    }
    return static_cast<std::uint32_t>(byte_);
  }

 private:
  bool continues(std::size_t byte) const { return continues_code_point(text_[byte]); }

  std::string_view text_;
  std::size_t begin_;
  std::size_t byte_;
  bool is_ascii_;
  std::size_t character_ = 0;
};

class Event {
 public:
  Event() = default;
  ~Event() { yaml_event_delete(&event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  /// False if the text is not YAML.
  bool read_next(yaml_parser_t& parser) {
    yaml_event_delete(&event_);
    return yaml_parser_parse(&parser, &event_) != 0;
  }
  const yaml_event_t* operator->() const { return &event_; }

 private:
  yaml_event_t event_{};
};

std::string_view text_of(const yaml_char_t* text, std::size_t size) {
  return {reinterpret_cast<const char*>(text), size};
}

/// What libyaml calls a plain scalar in brackets that ends with a colon, as in `{mountPath: D:}`.
constexpr std::string_view kUnexpectedColon = "found unexpected ':'";
/// As of "C:\inetpub", and of "C:\Users".
constexpr std::string_view kNoEscapes[] = {"found unknown escape character",
                                           "did not find expected hexdecimal number"};

/// Where the line of the offset has a mark of a template. None if it may be in a comment.
std::optional<std::size_t> find_mark_in_line(std::string_view text, std::size_t offset) {
  const std::size_t begin = text.substr(0, offset).rfind('\n') + 1;
  const std::string_view line = text.substr(begin, text.find('\n', offset) - begin);
  const std::size_t mark = line.find(kTemplateMark);
  if (mark == line.npos || line.substr(0, mark).find('#') != line.npos) return std::nullopt;
  return begin + mark;
}

/// The offsets of colons that are a part of a plain scalar for kubectl, and none for libyaml.
using Colons = std::vector<std::size_t>;

/// The text of the document for libyaml: a letter stands for each of `colons`.
std::string hide(std::string_view text, const Colons& colons) {
  std::string hidden(text);
  for (const std::size_t colon : colons) hidden[colon] = 'x';
  return hidden;
}

class Builder {
 public:
  Builder(Document& document, const Limits& limits, bool is_separator_text, const Colons& colons)
      : document_(document),
        colons_(colons),
        read_(document.text()),
        begin_(is_separator_text ? 0 : separator_size(document.text())),
        offsets_(document.text(), begin_),
        limits_(limits),
        values_(ValueCount::of_document(limits)) {
    constexpr std::size_t kBytesOfNode = 6;  // about: keys, values and what is around them
    document_.reserve(std::min(document.text().size() / kBytesOfNode, values_.most()));
    constexpr std::size_t kUsualDepth = 16;
    open_.reserve(kUsualDepth);
    if (yaml_parser_initialize(&parser_) == 0) throw std::bad_alloc();
    // As kubectl, whose line reader ends the last line (k8s.io/apimachinery pkg/util/yaml).
    const bool is_ended = read_.empty() || read_.back() == '\n';
    if (!colons.empty() || !is_ended) {
      changed_ = hide(read_, colons);
      if (!is_ended) changed_ += '\n';
      read_ = changed_;
    }
    const std::string_view text = read_.substr(begin_);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),
                                 text.size());
  }
  ~Builder() { yaml_parser_delete(&parser_); }
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;

  /// The offset of a colon that libyaml does not expect; none at the end of the document.
  std::optional<std::size_t> build() {
    Event event;
    do {
      if (event.read_next(parser_)) continue;
      if (is_unexpected_colon()) return offsets_.at(parser_.problem_mark);
      fail();
    } while (take(event));
    return std::nullopt;
  }

  [[noreturn]] void fail() {
    if (parser_.error == YAML_MEMORY_ERROR) throw std::bad_alloc();
    std::string what = parser_.problem != nullptr ? parser_.problem : "is not YAML";
    if (what.find("UTF-8") != what.npos) what = kNotUtf8;
    if (parser_.error == YAML_READER_ERROR)
      throw ParseError(std::min(begin_ + parser_.problem_offset, document_.text().size()), what);
    if (const auto mark = find_template_mark()) throw template_error(*mark);
    if (is_unexpected_colon()) what += "; quote the text";
    const bool is_no_escape = std::ranges::find(kNoEscapes, what) != std::end(kNoEscapes);
    if (parser_.context != nullptr) what += std::string(" ") + parser_.context;
    if (is_no_escape) what += "; put a Windows path in single quotes";
    throw ParseError(offsets_.at(parser_.problem_mark), what);
  }

 private:
  struct Open {
    NodeId node;
    NodeId last_child = kNoNode;
  };

  /// False at the end of the stream.
  bool take(const Event& event) {
    switch (event->type) {
      case YAML_DOCUMENT_START_EVENT:
        anchors_.clear();
        break;
      case YAML_DOCUMENT_END_EVENT:
        if (!first_document_) first_document_ = document_.size();
        break;
      case YAML_ALIAS_EVENT:
        add_alias(event);
        break;
      case YAML_SCALAR_EVENT:
        add_scalar(event);
        break;
      case YAML_SEQUENCE_START_EVENT:
        open(event, Node::Kind::sequence,
             event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE,
             event->data.sequence_start.anchor, event->data.sequence_start.tag);
        break;
      case YAML_MAPPING_START_EVENT:
        open(event, Node::Kind::mapping, event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE,
             event->data.mapping_start.anchor, event->data.mapping_start.tag);
        break;
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT:
        close(event);
        break;
      case YAML_STREAM_END_EVENT:
        return false;
      default:
        break;
    }
    return true;
  }

  Node make(const Event& event, Node::Kind kind) {
    return {.kind = kind,
            .begin = offsets_.at(event->start_mark),
            .end = offsets_.at(event->end_mark),
            .text = {}};
  }

  NodeId add(const Node& node, const yaml_char_t* anchor, const yaml_char_t* tag) {
    values_.add(node.begin);
    const NodeId id = document_.add(node);
    if (anchor != nullptr) {
      document_[id].has_anchor = true;
      anchors_[reinterpret_cast<const char*>(anchor)] = id;
    }
    if (tag != nullptr) document_.set_tag(id, reinterpret_cast<const char*>(tag));
    if (open_.empty()) {
      document_.add_root(id);
    } else {
      Open& parent = open_.back();
      document_.append_child(parent.node, parent.last_child, id);
      parent.last_child = id;
    }
    return id;
  }

  void add_alias(const Event& event) {
    Node node = make(event, Node::Kind::alias);
    const std::string name = reinterpret_cast<const char*>(event->data.alias.anchor);
    const auto found = anchors_.find(name);
    if (found == anchors_.end())
      throw ParseError(node.begin, std::string(kUnknownAnchor) + " '" + name + "'");
    node.first = found->second;
    if (std::ranges::any_of(open_, [&](const Open& each) { return each.node == node.first; }))
      throw ParseError(node.begin, "anchor '" + name + "' contains itself");
    add(node, nullptr, nullptr);
  }

  void add_scalar(const Event& event) {
    Node node = make(event, Node::Kind::scalar);
    const auto& scalar = event->data.scalar;
    const std::string_view value = text_of(scalar.value, scalar.length);
    refuse_what_kubectl_refuses(node, value, scalar.style);
    node.is_resolved = scalar.plain_implicit != 0;
    node.text = borrow(node, value, scalar.style);
    add(node, scalar.anchor, scalar.tag);
  }

  /// The YAML of kubectl is older than that of libyaml 0.2.5.
  void refuse_what_kubectl_refuses(const Node& node, std::string_view value,
                                   yaml_scalar_style_t style) const {
    if (style == YAML_PLAIN_SCALAR_STYLE && !open_.empty() &&
        document_[open_.back().node].is_flow && value.find('?', 1) != value.npos) {
      throw ParseError(node.begin, "found unexpected '?' in brackets; quote the text");
    }
    if (style != YAML_DOUBLE_QUOTED_SCALAR_STYLE) return;
    // Not with an anchor or a tag, which a comment may follow.
    if (!document_.text().substr(node.begin).starts_with('"')) return;
    const std::string_view text = document_.text().substr(0, node.end);
    for (std::size_t at = text.find('\\', node.begin); at < text.size() - 1;
         at = text.find('\\', at + 2)) {
      if (text[at + 1] == '/')
        throw ParseError(at,
                         "found unknown escape character '/' in a quoted scalar; write / alone");
    }
  }

  /// Most scalars are in the text as they are, before the end of their node or its quote. An anchor
  /// or a tag is before them.
  std::string_view borrow(const Node& node, std::string_view value, yaml_scalar_style_t style) {
    const std::size_t end = node.end - (style == YAML_PLAIN_SCALAR_STYLE ? 0U : 1U);
    const std::size_t begin = end - std::min(value.size(), end);
    if (begin >= node.begin && read_.substr(begin, value.size()) == value)
      return document_.text().substr(begin, value.size());
    const auto colon = std::ranges::lower_bound(colons_, std::size_t{node.begin});
    if (colon != colons_.end() && *colon < node.end)
      throw ParseError(*colon, std::string(kUnexpectedColon) + "; quote the text");
    return document_.keep(std::string(value));
  }

  void open(const Event& event, Node::Kind kind, bool is_flow, const yaml_char_t* anchor,
            const yaml_char_t* tag) {
    Node node = make(event, kind);
    if (open_.size() >= limits_.depth) throw too_deep(node.begin, limits_);
    node.is_flow = is_flow;
    open_.push_back({.node = add(node, anchor, tag)});
  }

  void close(const Event& event) {
    const Open closed = open_.back();
    open_.pop_back();
    Node& node = document_[closed.node];
    node.end = node.is_flow || closed.last_child == kNoNode ? offsets_.at(event->end_mark)
                                                            : document_[closed.last_child].end;
  }

  /// The mark of a template that causes the error. None if kubectl may take the text for YAML: it
  /// reads the first document, and nothing behind "...".
  std::optional<std::size_t> find_template_mark() {
    for (NodeId id = 0; id < first_document_.value_or(document_.size()); ++id) {
      const std::size_t begin = document_[id].begin;
      // A mapping with a key that is a mapping.
      if (document_.text().substr(begin).starts_with(kTemplateMark)) return begin;
    }
    if (first_document_ || is_unexpected_colon()) return std::nullopt;
    const auto in_line = find_mark_in_line(document_.text(), offsets_.at(parser_.problem_mark));
    if (in_line || parser_.context == nullptr) return in_line;
    return find_mark_in_line(document_.text(), offsets_.at(parser_.context_mark));
  }

  bool is_unexpected_colon() const {
    return parser_.error == YAML_SCANNER_ERROR && parser_.problem != nullptr &&
           parser_.problem == kUnexpectedColon;
  }

  Document& document_;
  const Colons& colons_;   // sorted
  std::string_view read_;  // by libyaml: the text of the document, or changed_
  std::string changed_;
  std::size_t begin_;  // in read_, and in the text of the document
  ByteOffsets offsets_;
  const Limits& limits_;
  ValueCount values_;
  yaml_parser_t parser_{};
  std::vector<Open> open_;
  std::optional<std::size_t> first_document_;  // its nodes, when it has ended
  std::unordered_map<std::string, NodeId> anchors_;
};

}  // namespace

std::size_t separator_size(std::string_view text) {
  if (!text.starts_with(kSeparator)) return 0;
  return next_line_begin(text);
}

void parse_yaml(Document& document, const Limits& limits, bool is_separator_text) {
  // libyaml reads the text again for each colon.
  constexpr std::size_t kMaxColons = 128;
  constexpr std::size_t kMaxRead = std::size_t{8} << 20U;  // bytes
  Colons colons;
  for (std::size_t read = document.text().size();; read += document.text().size()) {
    Builder builder(document, limits, is_separator_text, colons);
    const std::optional<std::size_t> colon = builder.build();
    if (!colon) return;
    const bool is_limit = colons.size() == kMaxColons || read > kMaxRead;
    if (is_limit || !document.text().substr(*colon).starts_with(':')) builder.fail();
    colons.push_back(*colon);
    document.clear();
  }
}

}  // namespace winadmit::manifests
