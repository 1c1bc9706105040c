#include "policy/rules/version.hpp"

#include <algorithm>
#include <charconv>

#include "text/text.hpp"

namespace winadmit {
namespace {

/// Parses the digits at the front of `text` and removes them.
std::optional<int> parse_number(std::string_view& text) {
  if (text.starts_with('-')) return std::nullopt;
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

/// "-gke.100", "+k3s1" or "-eks-adc7111": what distributions add to a patch release.
bool is_suffix(std::string_view text) {
  const auto belongs = [](char c) {
    return is_alphanumeric(c) || c == '.' || c == '-' || c == '+';
  };
  return text.size() > 1 && (text.front() == '-' || text.front() == '+') &&
         std::ranges::all_of(text, belongs);
}

}  // namespace

std::optional<Version> parse_version(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  const auto major = parse_number(text);
  if (!major || !text.starts_with('.')) return std::nullopt;
  text.remove_prefix(1);
  const auto minor = parse_number(text);
  if (!minor) return std::nullopt;
  const Version version{*major, *minor};
  if (text == "+") return version;  // as in the minor version of /version
  if (text.starts_with('.')) {      // the patch release, which is ignored
    text.remove_prefix(1);
    if (!parse_number(text)) return std::nullopt;
    if (is_suffix(text)) return version;
  }
  if (!text.empty()) return std::nullopt;
  return version;
}

std::string to_string(Version version) {
  return std::to_string(version.major) + '.' + std::to_string(version.minor);
}

std::string to_string(VersionRange range) {
  if (range.first == range.last) return to_string(range.first);
  if (range.last > kNewestVersion) return to_string(range.first) + '+';
  return to_string(range.first) + '-' + to_string(range.last);
}

}  // namespace winadmit
