#include "manifests/text_edit.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace winadmit::manifests {
namespace {

/// The size of the text without the line end at its end.
std::size_t size_without_line_end(std::string_view text) {
  if (text.ends_with("\r\n")) return text.size() - 2;
  return text.size() - (text.ends_with('\n') ? 1 : 0);
}

bool is_removal(const TextEdit& edit) { return edit.text.empty() && edit.end > edit.begin; }

}  // namespace

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
  const auto at_end = std::ranges::find_if(
      edits, [text](const TextEdit& each) { return is_removal(each) && each.end == text.size(); });
  if (at_end == edits.end()) return;
  const bool is_first = at_end == edits.begin();
  if (!is_first && std::prev(at_end)->end == at_end->begin) {  // added right before it
    std::string& added = std::prev(at_end)->text;
    added.resize(size_without_line_end(added));
  } else {
    at_end->begin = size_without_line_end(text.substr(0, at_end->begin));
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
