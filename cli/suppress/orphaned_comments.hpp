// Comments that ignore findings of a field that is removed.
#pragma once

#include <vector>

#include "cli/suppress/comments.hpp"
#include "manifests/text_edit.hpp"

namespace winadmit::cli {

/// Those on lines of their own whose fields the edits remove. Left alone, they would apply to the
/// next field. One for each line.
std::vector<IgnoreComment> find_orphaned_comments(const manifests::Document& document,
                                                  const std::vector<manifests::TextEdit>& edits);

/// Adds the removal of the comment's line, unless an edit removes it already.
void remove_comment(const manifests::Document& document, const IgnoreComment& comment,
                    std::vector<manifests::TextEdit>& edits);

}  // namespace winadmit::cli
