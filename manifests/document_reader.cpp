#include "manifests/document_reader.hpp"

#include <algorithm>
#include <utility>

#include "manifests/characters.hpp"
#include "manifests/parse.hpp"
#include "manifests/parse_json.hpp"
#include "manifests/parse_yaml.hpp"
#include "manifests/scalar.hpp"
#include "manifests/utf8.hpp"

namespace winadmit::manifests {
namespace {

/// The mark may be behind a separator.
void check_encoding(std::string_view text) {
  const std::size_t begin = separator_size(text);
  if (has_utf16_mark(text) || has_utf16_mark(text.substr(begin)))
    throw ParseError(0, "is UTF-16; save the file as UTF-8");
}

/// kubectl reads a value that is no object, refuses it, and reads on behind it.
void refuse_values(const Document& document) {
  for (const NodeId root : document.roots()) {
    const Node& node = document[document.resolved(root)];
    const bool is_nothing = node.is_resolved && is_null(node.text);
    if (node.kind != Node::Kind::mapping && !is_nothing)
      throw ParseError(node.begin, "is no object, and follows a JSON value");
  }
}

constexpr std::string_view kNull = "null";

bool has_alias(const Document& document) {
  for (NodeId id = 0; id < document.size(); ++id) {
    if (document[id].kind == Node::Kind::alias) return true;
  }
  return false;
}

}  // namespace

/// The size of the next part; kNone if it is larger than the limit.
std::size_t DocumentReader::find_yaml_end() {
  for (std::size_t line = 0;;) {
    while (ahead().size() - line < kSeparator.size() && text_.fill()) {
    }
    if (line > 0 && ahead().substr(line).starts_with(kSeparator)) return line;
    std::size_t from = line;
    std::size_t line_end = kNone;
    while ((line_end = ahead().find('\n', from)) == kNone) {
      from = ahead().size();
      if (from > limits_.document_size) return kNone;
      if (!text_.fill()) return from;
    }
    line = line_end + 1;
    if (line > limits_.document_size) return kNone;
  }
}

bool DocumentReader::is_json_next() {
  std::size_t first = kNone;
  while ((first = ahead().find_first_not_of(kSpace)) == kNone) {
    if (ahead().size() > limits_.document_size || !text_.fill()) return false;
  }
  while (ahead().size() - first < kNull.size() && text_.fill()) {
  }
  const std::string_view next = ahead().substr(first);
  return next.starts_with('{') || (json_values_ > 0 && next.starts_with(kNull));
}

/// The size up to the bracket that closes the first one, or behind a null, which kubectl passes
/// over; kNone if there is none within the limit.
std::size_t DocumentReader::find_json_end() {
  const std::size_t first = ahead().find_first_not_of(kSpace);
  if (ahead().substr(first).starts_with(kNull)) return first + kNull.size();
  JsonValueEnd end(first);
  for (;;) {
    const std::size_t size = end.find(ahead());
    if (size != kNone) return size <= limits_.document_size ? size : kNone;
    if (ahead().size() > limits_.document_size || !text_.fill()) return kNone;
  }
}

/// False if the next value is not JSON.
bool DocumentReader::next_json(FilePart& part) {
  std::size_t size = find_json_end();
  if (begin_list(size, {.may_be_json = true})) {
    next_of_list(part);
    return true;
  }
  if (size == kNone) return false;
  while (size == ahead().size() && text_.fill()) {
  }
  size = std::min(ahead().find_first_not_of(kBlankOrReturn, size), ahead().size());
  if (size < ahead().size() && ahead()[size] == '\n') ++size;
  const std::shared_ptr<Document> document = text_.take(size);
  try {
    parse_json(*document, limits_);
  } catch (const LimitError& error) {
    part.error.emplace(error);
  } catch (const ParseError&) {
    return false;
  }
  text_.advance(size);
  ++json_values_;
  part.document = document;
  return true;
}

/// Whether a list begins that is read item by item. `size` is that of the document; kNone if it is
/// larger than the limit.
bool DocumentReader::begin_list(std::size_t size, ParseOptions options) {
  // A smaller document has no more values than permitted.
  const bool is_large = size > limits_.document_size / Limits::kBytesOfValue;
  if (!is_large || (size == kNone && ahead().size() <= limits_.document_size)) return false;
  list_ = ListReader::begin(text_, limits_, options);
  if (list_ && size != kNone && !can_read_all(*list_)) list_.reset();
  return list_.has_value();
}

/// Whether each part can be read for itself. Items may share what aliases stand for, and kubectl
/// counts that in the whole document.
bool DocumentReader::can_read_all(ListReader list) {
  text_.mark();
  bool can_read = true;
  while (can_read && !list.is_done()) {
    FilePart part;
    list.next(part);
    can_read = !part.error && !has_alias(*part.document);
  }
  text_.go_back();
  return can_read;
}

void DocumentReader::next_of_list(FilePart& part) {
  list_->next(part);
  if (!list_->is_done()) return;
  if (list_->is_lost()) {
    skip_to_separator();
    may_be_json_ = false;
  }
  if (may_be_json_) ++json_values_;
  list_.reset();
}

void DocumentReader::skip_large(FilePart& part) {
  part.error.emplace(too_large(limits_));
  part.document = text_.take(0);
  skip_to_separator();
}

void DocumentReader::skip_to_separator() {
  for (;;) {
    const std::size_t line_end = ahead().find('\n');
    text_.advance(line_end == kNone ? ahead().size() : line_end + 1);
    if (line_end == kNone && !text_.fill()) return;
    if (line_end == kNone) continue;
    while (ahead().size() < kSeparator.size() && text_.fill()) {
    }
    if (ahead().starts_with(kSeparator)) return;
  }
}

void DocumentReader::next_yaml(FilePart& part) {
  const std::size_t size = find_yaml_end();
  // kubectl passes a separator on if nothing is before it, as at the beginning of a file
  // (k8s.io/apimachinery pkg/util/yaml, YAMLReader.Read). "---# comment" is a text then.
  const bool is_separator_text = is_passed_on_empty_;
  const ParseOptions options{.may_be_json = false, .is_separator_text = is_separator_text};
  if (json_values_ == 0 && begin_list(size, options)) {
    is_passed_on_empty_ = false;
    return next_of_list(part);
  }
  if (size == kNone) {
    is_passed_on_empty_ = false;
    skip_large(part);
    return;
  }
  const std::shared_ptr<Document> document = text_.take(size);
  text_.advance(size);
  part.document = document;
  is_passed_on_empty_ = !is_separator_text && separator_size(document->text()) == size;
  try {
    check_encoding(document->text());
    if (json_values_ > 0 && is_all_space(document->text())) return;
    // kubectl reads YAML after one JSON value at most. What follows several is read as JSON, for
    // its error.
    if (json_values_ > 1) {
      parse_json(*document, limits_);
    } else {
      parse(*document, limits_, options);
    }
    if (json_values_ > 0) refuse_values(*document);
  } catch (const ParseError& error) {
    part.error.emplace(error);
  }
}

bool DocumentReader::next(FilePart& part) {
  part = {};
  if (list_) {
    next_of_list(part);
    return true;
  }
  if (ahead().empty() && !text_.fill()) return false;
  may_be_json_ = may_be_json_ && is_json_next();
  if (may_be_json_ && next_json(part)) return true;
  may_be_json_ = false;
  next_yaml(part);
  return true;
}

}  // namespace winadmit::manifests
