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

/// Adds the removal of the comments for winadmit on their own line whose fields the edits remove:
/// they would be for the next field. Returns them, and all that the edits removed before. Throws
/// manifests::EditError if a comment would be for other fields than before nevertheless, or if the
/// edits remove a comment but not all of its fields.
std::vector<RemovedComment> remove_comments_of_removed(const manifests::Document& document,
                                                       std::vector<manifests::TextEdit>& edits,
                                                       const manifests::Limits& limits);

}  // namespace winadmit::cli
