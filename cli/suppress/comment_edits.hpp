// The comments that ignore findings, where fields are edited.
#pragma once

#include <string>
#include <vector>

#include "manifests/document.hpp"
#include "manifests/text_edit.hpp"

namespace winadmit::cli {

struct RemovedComment {
  manifests::Position at;
  std::string text;  // from the `#` on
};

/// Also removes each comment for winadmit on its own line whose field the edits remove: it would
/// apply to the next field. Returns all comments that are removed. Throws manifests::EditError if a
/// comment would apply to another field, or is removed without all of its fields.
std::vector<RemovedComment> remove_comments_of_removed(const manifests::Document& document,
                                                       std::vector<manifests::TextEdit>& edits,
                                                       const manifests::Limits& limits);

}  // namespace winadmit::cli
