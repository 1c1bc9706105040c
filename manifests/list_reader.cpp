#include "manifests/list_reader.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "manifests/parse_json.hpp"
#include "manifests/parse_yaml.hpp"
#include "manifests/to_json.hpp"

namespace winadmit::manifests {
namespace {

/// Of a part around the items. Throws ParseError.
void parse_json_part(Document& document, std::string object, const Limits& limits) {
  parse_json(document, document.keep(std::move(object)), limits);
}

/// A YAML document that ends with the key of the items, whose value is in other parts.
bool is_yaml_head(const Document& document) {
  if (document.roots().size() != 1) return false;
  const Node& root = document[document.roots().front()];
  if (root.kind != Node::Kind::mapping || root.is_flow) return false;
  NodeId key = kNoNode, value = kNoNode;
  for (NodeId each = root.first; each != kNoNode; each = document[value].next) {
    key = each;
    value = document[key].next;
  }
  return key != kNoNode && document[key].text == "items" && document[value].text.empty();
}

bool has_text(simdjson::dom::element object, std::string_view member) {
  return !string_member(object, member).empty();
}

/// YAML ends lines with other characters than line feeds, too: several items may be in one line.
void check_yaml_item(const Document& document) {
  const Node& root = document[document.roots().front()];
  const bool is_one = document.roots().size() == 1 && root.kind == Node::Kind::sequence &&
                      root.first != kNoNode && document[root.first].next == kNoNode;
  if (!is_one) throw ParseError(root.begin, "expected one item of the list in its lines");
}

/// What follows the items in YAML: further keys of the mapping that the list is in.
void check_yaml_end(const Document& document) {
  if (document.roots().empty()) return;
  const Node& root = document[document.roots().front()];
  const bool is_in_line = root.begin > 0 && document.text()[root.begin - 1] != '\n';
  if (document.roots().size() > 1 || root.kind != Node::Kind::mapping || root.is_flow || is_in_line)
    throw ParseError(root.begin, "expected an item or a key of the list");
}

}  // namespace

std::optional<ListReader> ListReader::begin(ReadAhead& text, const Limits& limits,
                                            ParseOptions options) {
  const bool is_json = options.may_be_json;
  std::size_t size = 0;
  const std::optional<ListText> list = ListText::begin(text.text(), is_json, size);
  if (!list) return std::nullopt;
  ListReader reader(text, limits, is_json, *list);
  const std::shared_ptr<Document> document = text.take(size);
  try {
    if (is_json) {
      parse_json_part(*document, list->as_object_before(document->text()), limits);
    } else {
      parse(*document, limits, options);
      if (!is_yaml_head(*document)) return std::nullopt;
    }
    reader.head_->json =
        std::make_shared<ParsedJson>(to_json_text(*document, document->roots().front(), limits));
  } catch (const ParseError&) {
    return std::nullopt;
  }
  reader.head_->document = document;
  const simdjson::dom::element object = reader.head_->json->document.root();
  const bool is_object = has_text(object, "apiVersion") || has_text(object, "kind");
  return is_object ? std::optional(std::move(reader)) : std::nullopt;
}

void ListReader::next(FilePart& part) {
  part.list = head_;
  if (!is_begun_) {
    is_begun_ = true;
    part.kind = FilePart::Kind::list_head;
    part.document = head_->document;
    text_->advance(head_->document->text().size());
    return;
  }
  try {
    next_item_or_end(part);
  } catch (const ParseError& error) {
    constexpr std::size_t kShown = 4096;  // around the error
    part.document = text_->take(std::min(text_->text().size(), error.offset + kShown));
    part.error.emplace(error);
    is_done_ = is_lost_ = true;
  }
}

/// Reads as much again as is there: what is found is searched for again.
void ListReader::more() {
  const std::size_t size = text_->text().size();
  if (size > limits_.document_size) throw too_large(limits_);
  while (text_->text().size() < 2 * size + 1 && text_->fill()) {
  }
}

void ListReader::next_item_or_end(FilePart& part) {
  std::optional<ListItem> item;
  while (!(item = list_.next_item(text_->text(), text_->is_end()))) more();
  if (item->size > limits_.document_size) throw too_large(limits_);
  part.kind = item->size == 0 ? FilePart::Kind::list_end : FilePart::Kind::list_item;
  if (item->size == 0) return read_end(part);
  is_empty_ = false;
  read_item(*item, part);
}

void ListReader::read_item(const ListItem& item, FilePart& part) {
  const std::shared_ptr<Document> document = text_->take(item.size, item.tail);
  text_->advance(item.size);
  part.document = document;
  try {
    if (is_json_) {
      parse_json(*document, limits_);
    } else {
      parse_yaml(*document, limits_);
      check_yaml_item(*document);
    }
    document->set_source_file(head_->document->source_file());
  } catch (const ParseError& error) {
    std::string what = error.what();
    if (what.starts_with(kUnknownAnchor))
      what += "; each item of a large list is read for itself (--max-document-size)";
    part.error.emplace(error.offset, what);
  }
}

void ListReader::read_end(FilePart& part) {
  std::optional<std::size_t> size;
  while (!(size = list_.find_size_of_rest(text_->text(), text_->is_end()))) more();
  const std::shared_ptr<Document> document = text_->take(*size);
  if (is_json_) {
    parse_json_part(*document, list_.as_object_after(document->text()), limits_);
  } else {
    parse_yaml(*document, limits_);
    check_yaml_end(*document);
  }
  text_->advance(*size);
  part.document = document;
  part.is_list_empty = is_empty_;
  is_done_ = true;
}

}  // namespace winadmit::manifests
