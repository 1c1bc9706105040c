// Comments in YAML: `# winadmit: ignore host-pid reason`, at the end of the line of the field, or
// on a line of its own above it. Only blank lines and comments may be between them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "manifests/document.hpp"

namespace winadmit::cli {

/// Is in every comment for winadmit.
inline constexpr std::string_view kCommentMark = "winadmit:";

/// One rule in a comment.
struct IgnoreComment {
  std::string rule;
  std::string_view reason;  // in the text of the document, as below
  int line = 0;             // from 1
  int column = 0;           // of the `#`, from 1, in bytes
  std::string_view text;    // the whole line, without its end
  int applies_to = 0;       // the line of the fields whose findings are ignored
};

/// All of a document, in order; lines are those of its file. JSON has none.
std::vector<IgnoreComment> find_ignore_comments(const manifests::Document& document);

}  // namespace winadmit::cli
