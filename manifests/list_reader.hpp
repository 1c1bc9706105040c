// Reads a list of objects item by item, so that it may be larger than a document.
#pragma once

#include <memory>
#include <optional>

#include "manifests/file_part.hpp"
#include "manifests/list_text.hpp"
#include "manifests/parse.hpp"
#include "manifests/read_ahead.hpp"

namespace winadmit::manifests {

class ListReader {
 public:
  /// Nothing if the text that is read ahead does not begin with a list whose apiVersion or kind is
  /// before its items. `text` must outlive the reader.
  static std::optional<ListReader> begin(ReadAhead& text, const Limits& limits,
                                         ParseOptions options);

  /// The next part, until is_done().
  void next(FilePart& part);
  bool is_done() const { return is_done_; }
  /// Whether the list was left at an error: where it goes on is not known.
  bool is_lost() const { return is_lost_; }

 private:
  ListReader(ReadAhead& text, const Limits& limits, bool is_json, const ListText& list)
      : text_(&text), limits_(limits), is_json_(is_json), list_(list) {}

  void next_item_or_end(FilePart& part);
  void read_item(const ListItem& item, FilePart& part);
  void read_end(FilePart& part);
  void more();

  ReadAhead* text_;
  Limits limits_;  // of an item
  bool is_json_;
  ListText list_;
  std::shared_ptr<ListHead> head_ = std::make_shared<ListHead>();
  bool is_begun_ = false;
  bool is_empty_ = true;
  bool is_done_ = false;
  bool is_lost_ = false;
};

}  // namespace winadmit::manifests
