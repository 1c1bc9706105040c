#include "policy/pod/quantity.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace winadmit {
namespace {

struct Suffix {
  std::string_view text;
  double factor;
  double divisor = 1;  // a factor of 1e-3 is not exact
};

constexpr double kKi = 1024;
constexpr auto kSuffixes = std::to_array<Suffix>({
    {"", 1},
    {"n", 1, 1e9},
    {"u", 1, 1e6},
    {"m", 1, 1e3},
    {"k", 1e3},
    {"M", 1e6},
    {"G", 1e9},
    {"T", 1e12},
    {"P", 1e15},
    {"E", 1e18},
    {"Ki", kKi},
    {"Mi", kKi* kKi},
    {"Gi", kKi* kKi* kKi},
    {"Ti", kKi* kKi* kKi* kKi},
    {"Pi", kKi* kKi* kKi* kKi* kKi},
    {"Ei", kKi* kKi* kKi* kKi* kKi* kKi},
});

std::optional<double> parse_quantity(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  // It takes an exponent too: "1E3" is a thousand, "1E" is 1 with the suffix E.
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !std::isfinite(number)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  const auto suffix = std::ranges::find(kSuffixes, text, &Suffix::text);
  if (suffix == kSuffixes.end()) return std::nullopt;
  return std::ceil(number * suffix->factor / suffix->divisor);
}

}  // namespace

std::optional<double> read_quantity(JsonValue value) {
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) return parse_quantity(text);
  double number = 0;
  if (value.get(number) == simdjson::SUCCESS) return std::ceil(number);
  return std::nullopt;
}

}  // namespace winadmit
