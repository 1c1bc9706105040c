#include "text/similar.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "text/text.hpp"

namespace winadmit {
namespace {

bool has_common_prefix(std::string_view word, std::string_view candidate) {
  constexpr std::size_t kMinPrefix = 3;
  const std::size_t common = std::min(word.size(), candidate.size());
  return common >= kMinPrefix &&
         std::equal(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(common),
                    candidate.begin(),
                    [](char a, char b) { return to_ascii_lower(a) == to_ascii_lower(b); });
}

}  // namespace

std::size_t edit_distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= from.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const bool is_same = to_ascii_lower(from[i - 1]) == to_ascii_lower(to[j - 1]);
      const std::size_t replaced = diagonal + (is_same ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

std::string_view find_similar(std::string_view word, std::span<const std::string_view> candidates) {
  if (word.size() > kEchoLimit) return {};
  std::string_view best;
  std::size_t best_distance = std::numeric_limits<std::size_t>::max();
  for (const std::string_view each : candidates) {
    const std::size_t distance = edit_distance(word, each);
    const bool is_similar =
        has_common_prefix(word, each) || distance <= std::max<std::size_t>(1, each.size() / 3);
    if (!is_similar || distance >= best_distance) continue;
    best = each;
    best_distance = distance;
  }
  return best;
}

std::string suggestion(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string_view similar = find_similar(word, candidates);
  return similar.empty() ? std::string() : "; did you mean " + std::string(similar) + '?';
}

}  // namespace winadmit
