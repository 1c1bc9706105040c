#include "server/config/namespace_labels.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>
#include <vector>

namespace winadmit::server {
namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

/// How many characters must be inserted, removed or replaced to make one text the other
/// (Levenshtein). Upper and lower case are the same.
std::size_t edit_distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= from.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replaced = diagonal + (lower(from[i - 1]) == lower(to[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

/// Also "warning" for "warn", and "win" for "windows".
bool is_similar(std::string_view word, std::string_view candidate) {
  constexpr std::size_t kMinPrefix = 3;
  const std::size_t common = std::min(word.size(), candidate.size());
  if (common >= kMinPrefix &&
      edit_distance(word.substr(0, common), candidate.substr(0, common)) == 0) {
    return true;
  }
  return edit_distance(word, candidate) <= std::max<std::size_t>(1, candidate.size() / 3);
}

/// The first candidate that was probably meant, or "".
std::string_view find_similar(std::string_view word, std::span<const std::string_view> candidates) {
  constexpr std::size_t kMaxWord = 63;  // the longest value or name of a label
  if (word.size() > kMaxWord) return {};
  const auto found = std::ranges::find_if(
      candidates, [&](std::string_view each) { return is_similar(word, each); });
  return found == candidates.end() ? std::string_view() : *found;
}

std::string suggestion(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string_view similar = find_similar(word, candidates);
  return similar.empty() ? std::string() : fmt::format("; did you mean {}?", similar);
}

}  // namespace

LabelFault find_label_fault(std::string_view key, std::string_view value) {
  if (!key.starts_with(kLabelPrefix)) return {};
  const auto label = std::ranges::find(kNamespaceLabels, key, &NamespaceLabel::key);
  if (label != kNamespaceLabels.end()) {
    if (std::ranges::find(label->values, value) != label->values.end()) return {};
    return {.reason = fmt::format("\"{}\" has no meaning, so the default applies", value),
            .instead = fmt::format("use one of {}{}", fmt::join(label->values, ", "),
                                   suggestion(value, label->values))};
  }
  std::vector<std::string_view> names;
  names.reserve(kNamespaceLabels.size());
  for (const NamespaceLabel& each : kNamespaceLabels) {
    names.push_back(each.key.substr(kLabelPrefix.size()));
  }
  const std::string_view similar = find_similar(key.substr(kLabelPrefix.size()), names);
  return {.reason = "winadmit does not know this label, so it has no effect",
          .instead = similar.empty()
                         ? fmt::format("use one of {}{}", kLabelPrefix,
                                       fmt::join(names, fmt::format(", {}", kLabelPrefix)))
                         : fmt::format("did you mean {}{}?", kLabelPrefix, similar)};
}

}  // namespace winadmit::server
