#include "cli/rules/field_rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/judge/check_advice.hpp"
#include "policy/rules/allowed_fields.hpp"
#include "policy/rules/field_pattern.hpp"

namespace winadmit::cli {
namespace {

/// "hugepages-2Mi" of "...resources.limits[hugepages-2Mi]", the last key of a map; "" without one.
std::string_view key_of(std::string_view path) {
  if (!path.ends_with(']') || path.ends_with("[*]")) return {};
  path.remove_suffix(1);
  return path.substr(path.rfind('[') + 1);
}

bool is_same_or_below(std::string_view path, const std::vector<std::string>& fields) {
  return std::ranges::any_of(fields, [&](const std::string& each) {
    return is_same_path(path, each) || is_below(path, each);
  });
}

/// "1.14-1.19, 1.24+": the releases of the ranges, without repetition.
std::string releases_text(std::vector<VersionRange> ranges) {
  std::ranges::sort(ranges, {}, &VersionRange::first);
  std::vector<VersionRange> joined;
  for (const VersionRange& each : ranges) {
    const bool is_separate = joined.empty() || Version{joined.back().last.major,
                                                       joined.back().last.minor + 1} < each.first;
    if (is_separate) {
      joined.push_back(each);
    } else {
      joined.back().last = std::max(joined.back().last, each.last);
    }
  }
  std::vector<std::string> texts;
  texts.reserve(joined.size());
  for (const VersionRange& each : joined) texts.push_back(to_string(each));
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

bool forbids_key_of(const Rule& rule, std::string_view path) {
  const std::string_view key = key_of(path);
  return rule.forbids.forbids_key != nullptr && !key.empty() && rule.forbids.forbids_key(key);
}

bool concerns(const Rule& rule, std::string_view path) {
  const std::string_view key = key_of(path);
  if (rule.scope == Scope::annotation && !key.empty()) {
    return path.starts_with("metadata.annotations[") && matches_annotation(rule.field, key);
  }
  if (rule.forbids.forbids_key != nullptr && !key.empty() && !forbids_key_of(rule, path))
    return false;
  const auto fields = paths_of(rule.scope, rule.field);
  const bool is_above = std::ranges::any_of(fields, [&](const std::string& each) {
    return is_same_path(path, each) || is_below(each, path);
  });
  if (is_above) return true;
  if (!rule.forbids.relates) return is_same_or_below(path, fields);
  std::string read(rule.field);
  if (!read.empty()) read += '.';
  read += rule.forbids.reads;
  return is_same_or_below(path, paths_of(rule.scope, read));
}

bool concerns(const AdviceKind& advice, std::string_view path) {
  return std::ranges::any_of(advice.fields, [&](std::string_view each) {
    return is_same_path(path, each) || is_below(path, each) || is_below(each, path);
  });
}

std::string releases_of_id(std::string_view id) {
  std::vector<VersionRange> ranges;
  for (const Rule& rule : rules()) {
    if (rule.id == id) ranges.push_back(rule.versions);
  }
  for (const AdviceKind& advice : all_advice()) {
    if (advice.id == id) ranges.push_back(advice.versions);
  }
  return releases_text(std::move(ranges));
}

std::string releases_about(const std::vector<std::string>& paths) {
  const auto is_about = [&](const auto& row) {
    return std::ranges::any_of(paths, [&](const auto& path) { return concerns(row, path); });
  };
  std::vector<VersionRange> ranges;
  for (const Rule& rule : rules()) {
    if (is_about(rule)) ranges.push_back(rule.versions);
  }
  for (const AdviceKind& advice : all_advice()) {
    if (is_about(advice)) ranges.push_back(advice.versions);
  }
  for (const std::string& path : paths) {
    if (const AllowedField* const allowed = find_allowed_field(path))
      ranges.push_back(allowed->versions);
  }
  return releases_text(std::move(ranges));
}

}  // namespace winadmit::cli
