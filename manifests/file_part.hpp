// What DocumentReader makes of a file.
#pragma once

#include <memory>
#include <optional>

#include "manifests/document.hpp"
#include "manifests/manifest.hpp"

namespace winadmit::manifests {

/// What is before the items of a list.
struct ListHead {
  std::shared_ptr<const Document> document;
  std::shared_ptr<const ParsedJson> json;  // whose items are empty
};

/// A part of a file: a document with the "---" line before it, or a part of a large list. The texts
/// of all parts are the text of the file, unless a part is too large.
struct FilePart {
  enum class Kind { document, list_head, list_item, list_end };

  std::shared_ptr<const Document> document;  // without values if there is an error
  std::optional<ParseError> error;
  Kind kind = Kind::document;
  std::shared_ptr<const ListHead> list = {};  // of the parts of a list
  bool is_list_empty = false;                 // at its end

  /// Whether it is a document, or the first part of one.
  bool begins_document() const { return kind == Kind::document || kind == Kind::list_head; }
};

}  // namespace winadmit::manifests
