// Comments in YAML: `# winadmit: ignore host-pid reason`, at the end of the line of the field, or
// on a line of its own above it.
#pragma once

#include <istream>
#include <string>
#include <string_view>
#include <vector>

namespace winadmit::cli {

struct IgnoreComment {
  std::string rule;
  std::string reason;
  int line = 0;        // from 1
  int column = 0;      // of the `#`, from 1
  int applies_to = 0;  // the line of the fields whose findings are ignored
};

/// All of a file, in order.
std::vector<IgnoreComment> read_ignore_comments(std::istream& yaml);

}  // namespace winadmit::cli
