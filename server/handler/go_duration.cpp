#include "server/handler/go_duration.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace winadmit::server {
namespace {

/// 0 for an unknown unit.
double milliseconds_in(std::string_view unit) {
  if (unit == "ms") return 1;
  if (unit == "s") return 1000;
  if (unit == "m") return 60'000;
  return 0;
}

}  // namespace

std::optional<std::chrono::milliseconds> parse_go_duration(std::string_view text) {
  if (text.empty()) return std::nullopt;
  double milliseconds = 0;
  while (!text.empty()) {
    double value = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    if (error != std::errc{} || !std::isfinite(value) || value < 0) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    const std::string_view unit = text.substr(0, text.find_first_of("0123456789."));
    text.remove_prefix(unit.size());
    const double factor = milliseconds_in(unit);
    if (factor == 0) return std::nullopt;
    milliseconds += value * factor;
  }
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::min(milliseconds, 1e9)));
}

}  // namespace winadmit::server
