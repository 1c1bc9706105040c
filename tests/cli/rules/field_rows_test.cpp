#include "cli/rules/field_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <sstream>
#include <string>

#include "cli/judge/check_advice.hpp"
#include "cli/judge/rule_ids.hpp"
#include "policy/rules/version.hpp"

namespace winadmit::cli {
namespace {

/// "1.14-1.19, 1.24+"
bool names_release(const std::string& releases, Version version) {
  std::istringstream ranges(releases);
  for (std::string range; std::getline(ranges >> std::ws, range, ',');) {
    const std::size_t end = std::min(range.find_first_of("-+"), range.size());
    const Version first = *parse_version(range.substr(0, end));
    Version last = first;
    if (range.ends_with('+')) last = kNewestVersion;
    if (end < range.size() && range[end] == '-') last = *parse_version(range.substr(end + 1));
    if (first <= version && version <= last) return true;
  }
  return false;
}

void expect_releases(const std::string& releases, const std::string& of,
                     const std::function<bool(Version)>& holds) {
  for (Version version = kOldestVersion; version <= kNewestVersion; ++version.minor)
    EXPECT_EQ(names_release(releases, version), holds(version)) << of << ": " << releases;
}

TEST(FieldRows, NameTheReleasesOfEachId) {
  for (const std::string_view id : rule_ids()) {
    expect_releases(releases_of_id(id), std::string(id), [&](Version version) {
      const auto holds = [&](const auto& row) {
        return row.id == id && row.versions.contains(version);
      };
      return std::ranges::any_of(rules(), holds) || std::ranges::any_of(all_advice(), holds);
    });
  }
}

TEST(FieldRows, NameTheReleasesInWhichSomethingIsAboutAField) {
  EXPECT_EQ(releases_about({"spec.os.name"}), "1.14+");
  EXPECT_EQ(releases_about({"spec.containers[*].volumeMounts[*].recursiveReadOnly"}), "1.30+");
  EXPECT_EQ(releases_about({"spec.none"}), "");
}

TEST(FieldRows, AreAboutFieldsAboveAndBelow) {
  const auto concerned = [](std::string_view path) {
    return std::ranges::any_of(rules(), [&](const Rule& rule) {
      return rule.id == "run-as-user" && concerns(rule, path);
    });
  };
  EXPECT_TRUE(concerned("spec.securityContext.runAsUser"));
  EXPECT_TRUE(concerned("spec.securityContext"));
  EXPECT_FALSE(concerned("spec.securityContext.runAsGroup"));
}

}  // namespace
}  // namespace winadmit::cli
