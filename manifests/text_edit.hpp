// Replaced ranges of a text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace winadmit::manifests {

/// The bytes from `begin` up to `end` become `text`.
struct TextEdit {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text = {};
};

/// Orders edits by place; those of one place stay in their order. Removals that touch become one.
/// False if others overlap.
bool sort_edits(std::vector<TextEdit>& edits);

/// Where the edits, which are in order, remove the last lines of a text without a line end, the
/// line before them loses its line end.
void keep_missing_line_end(std::string_view text, std::vector<TextEdit>& edits);

/// The text with its edits, which are in order.
std::string apply_edits(std::string_view text, const std::vector<TextEdit>& edits);

}  // namespace winadmit::manifests
