// Comments in YAML: `# winadmit: ignore host-pid reason`, at the end of the line of the field, or
// on a line of its own above it. Only blank lines and comments may be between them.
#pragma once

#include <cstddef>
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
  std::size_t offset = 0;   // of the `#`, in the text of the document
  std::string_view text;    // the whole line, without its end
  int applies_to = 0;       // the line of the fields whose findings are ignored
};

/// Where comments on lines of their own begin, in a part of the text of a document of YAML. The
/// part begins with a line, or within one that has a field.
std::vector<std::size_t> find_comment_lines(const manifests::Document& document, std::size_t begin,
                                            std::size_t end);

/// All of a document, in order; lines are those of its file. JSON has none.
std::vector<IgnoreComment> find_ignore_comments(const manifests::Document& document);

/// The comments that were meant to ignore a rule, and do not because they are written in another
/// way: "# winadmit: disable host-pid", "# Winadmit ignore host-pid". At most one in a line, with
/// its first rule, without a reason and a line that it applies to.
std::vector<IgnoreComment> find_mistaken_comments(const manifests::Document& document);

}  // namespace winadmit::cli
