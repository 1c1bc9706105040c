#include "policy/pod/builds.hpp"

#include <algorithm>
#include <array>

#include "text/text.hpp"

namespace winadmit {
namespace {

using Tags = std::span<const std::string_view>;
constexpr std::array<std::string_view, 2> kTags14393 = {"ltsc2016", "1607"};
constexpr std::array<std::string_view, 1> kTags16299 = {"1709"};
constexpr std::array<std::string_view, 1> kTags17134 = {"1803"};
constexpr std::array<std::string_view, 2> kTags17763 = {"ltsc2019", "1809"};
constexpr std::array<std::string_view, 1> kTags18362 = {"1903"};
constexpr std::array<std::string_view, 1> kTags18363 = {"1909"};
constexpr std::array<std::string_view, 1> kTags19041 = {"2004"};
constexpr std::array<std::string_view, 2> kTags19042 = {"20H2", "20h2"};
// The images of GitLab Runner for this build have the tag servercore21H2.
constexpr std::array<std::string_view, 3> kTags20348 = {"ltsc2022", "21H2", "21h2"};
constexpr std::array<std::string_view, 3> kTags26100 = {"ltsc2025", "24H2", "24h2"};

constexpr std::array<WindowsBuild, 10> kBuilds = {{
    {"10.0.14393", 14393, kTags14393, "Windows Server 2016", "2016"},
    {"10.0.16299", 16299, kTags16299, "Windows Server, version 1709"},
    {"10.0.17134", 17134, kTags17134, "Windows Server, version 1803"},
    {"10.0.17763", 17763, kTags17763, "Windows Server 2019", "2019"},
    {"10.0.18362", 18362, kTags18362, "Windows Server, version 1903"},
    {"10.0.18363", 18363, kTags18363, "Windows Server, version 1909"},
    {"10.0.19041", 19041, kTags19041, "Windows Server, version 2004"},
    {"10.0.19042", 19042, kTags19042, "Windows Server, version 20H2"},
    {"10.0.20348", 20348, kTags20348, "Windows Server 2022", "2022"},
    {"10.0.26100", 26100, kTags26100, "Windows Server 2025", "2025"},
}};

/// In bytes. A longer tag is none, and the time is quadratic in its size:
/// https://github.com/opencontainers/distribution-spec/blob/main/spec.md#pulling-manifests
constexpr std::size_t kMaxTag = 128;

/// The first build whose nodes Kubernetes supports.
constexpr int kFirstSupportedBuild = 17763;

/// The first build with a stable kernel interface for containers.
constexpr int kFirstStableBuild = 20348;

constexpr std::string_view kLongTerm = "ltsc";

/// Excludes most parts of tags without a comparison.
constexpr bool may_name_build(std::string_view token) {
  return token.starts_with(kLongTerm) || (!token.empty() && is_digit(token[0]));
}
static_assert(std::ranges::all_of(kBuilds, [](const WindowsBuild& build) {
  return may_name_build(build.label) && std::ranges::all_of(build.tags, may_name_build);
}));

/// Whether a part of a tag means a build in any image. A bare number, such as 2004, does in an
/// image for Windows only.
bool is_certain(std::string_view token) {
  return token.starts_with(kLongTerm) || token.starts_with("10.0.");
}

/// Whether a part of a tag is a name of the build, or its version with or without a revision.
bool is_name_of(std::string_view token, const WindowsBuild& build) {
  if (std::ranges::find(build.tags, token) != build.tags.end()) return true;
  return token.starts_with(build.label) &&
         (token.size() == build.label.size() || token[build.label.size()] == '.');
}

bool ends_with_any(std::string_view text, std::span<const std::string_view> words) {
  return std::ranges::any_of(words, [text](std::string_view word) { return text.ends_with(word); });
}

/// Removes the first part of a tag, which ends at a separator or with one of kWordsBeforeBuild, and
/// returns it without the separator.
std::string_view take_part(std::string_view& tag) {
  const auto is_separator = [](char c) { return c == '-' || c == '_'; };
  std::string_view part(tag.begin(), std::ranges::find_if(tag, is_separator));
  // Most parts do not end as the name of a build does.
  const bool may_have_build = !part.empty() && is_digit(part.back());
  for (const std::string_view word : kWordsBeforeBuild) {
    const std::size_t at = may_have_build ? part.find(word) : std::string_view::npos;
    if (at != std::string_view::npos) part = part.substr(0, at + word.size());
  }
  tag.remove_prefix(part.size());
  if (!tag.empty() && is_separator(tag.front())) tag.remove_prefix(1);
  return part;
}

/// Whether a month comes next in a tag.
bool begins_with_month(std::string_view tag) {
  std::string_view part;
  while (part.empty() && !tag.empty()) part = take_part(tag);
  if (part.size() != 2 || !is_digit(part[1])) return false;
  return part[0] == '0' ? part[1] != '0' : part[0] == '1' && part[1] <= '2';
}

bool may_be_year(std::string_view token, std::string_view before) {
  constexpr std::size_t kDigits = 4;
  return token.size() == kDigits && std::ranges::all_of(token, is_digit) &&
         ends_with_any(before, kWordsBeforeYear);
}

/// Whether a year with a word before it is that of a date.
bool has_date(std::string_view tag) {
  std::string_view before;
  while (!tag.empty()) {
    const std::string_view part = take_part(tag);
    if (may_be_year(part, before) && begins_with_month(tag)) return true;
    if (!part.empty()) before = part;
  }
  return false;
}

}  // namespace

std::span<const WindowsBuild> windows_builds() { return kBuilds; }

const WindowsBuild* find_build(std::string_view label) {
  const auto found = std::ranges::find(kBuilds, label, &WindowsBuild::label);
  return found == kBuilds.end() ? nullptr : &*found;
}

const WindowsBuild* find_build_of_image(const Image& image) {
  if (image.tag.size() > kMaxTag) return nullptr;
  const WindowsBuild* build = nullptr;
  std::string_view tag = image.tag;
  std::string_view before;  // the part before
  while (!tag.empty()) {
    const std::string_view token = take_part(tag);
    if (may_name_build(token)) {
      const bool is_year = may_be_year(token, before) && !has_date(image.tag);
      const auto found = std::ranges::find_if(kBuilds, [&](const WindowsBuild& each) {
        return is_name_of(token, each) || (is_year && token == each.year);
      });
      const auto is_named = [&] {
        return is_certain(token) || token == found->year || names_windows(image);
      };
      if (found != kBuilds.end() && is_named()) {
        if (build != nullptr && build != &*found) return nullptr;
        build = &*found;
      }
    }
    if (!token.empty()) before = token;
  }
  return build;
}

bool is_supported_host(const WindowsBuild& host) { return kFirstSupportedBuild <= host.number; }

bool can_run_on(const WindowsBuild& image, const WindowsBuild& host) {
  if (host.number < kFirstStableBuild) return image.number == host.number;
  return kFirstStableBuild <= image.number && image.number <= host.number;
}

}  // namespace winadmit
