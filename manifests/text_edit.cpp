#include "manifests/text_edit.hpp"

#include <algorithm>
#include <tuple>

namespace winadmit::manifests {

bool is_removal(const TextEdit& edit) { return edit.text.empty() && edit.end > edit.begin; }

bool sort_edits(std::vector<TextEdit>& edits) {
  std::ranges::stable_sort(edits, {},
                           [](const TextEdit& each) { return std::tuple(each.begin, each.end); });
  std::vector<TextEdit> sorted;
  for (TextEdit& each : edits) {
    if (!sorted.empty() && sorted.back().end >= each.begin && is_removal(sorted.back()) &&
        is_removal(each)) {
      sorted.back().end = std::max(sorted.back().end, each.end);
    } else if (sorted.empty() || sorted.back().end <= each.begin) {
      sorted.push_back(std::move(each));
    } else {
      return false;
    }
  }
  edits = std::move(sorted);
  return true;
}

void keep_missing_line_end(std::string_view text, std::vector<TextEdit>& edits) {
  if (text.ends_with('\n')) return;
  for (TextEdit& each : edits) {
    const bool is_at_end = is_removal(each) && each.end == text.size();
    if (!is_at_end || each.begin == 0 || text[each.begin - 1] != '\n') continue;
    --each.begin;
    if (each.begin > 0 && text[each.begin - 1] == '\r') --each.begin;
  }
}

std::string apply_edits(std::string_view text, const std::vector<TextEdit>& edits) {
  std::string edited;
  std::size_t done = 0;
  for (const TextEdit& each : edits) {
    edited += text.substr(done, each.begin - done);
    edited += each.text;
    done = each.end;
  }
  edited += text.substr(done);
  return edited;
}

}  // namespace winadmit::manifests
