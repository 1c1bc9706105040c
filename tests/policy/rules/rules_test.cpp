#include <gtest/gtest.h>

#include <set>
#include <string>

#include "policy/rules/field_pattern.hpp"
#include "policy/rules/rule.hpp"

namespace winadmit {
namespace {

TEST(Rules, AreGroupedById) {
  std::set<std::string_view> closed;
  std::string_view current;
  for (const Rule& rule : rules()) {
    if (rule.id == current) continue;
    EXPECT_TRUE(closed.insert(rule.id).second) << "put the rows of " << rule.id << " together";
    current = rule.id;
  }
}

TEST(Rules, KnowWhatPodSecurityAsksFor) {
  for (const char* id : {"allow-privilege-escalation", "capabilities-drop", "seccomp-profile"})
    EXPECT_TRUE(required_by_restricted(id)) << id;
  for (const char* id : {"capabilities-add", "run-as-user", "selinux-options", "host-users"})
    EXPECT_FALSE(required_by_restricted(id)) << id;
}

TEST(Rules, HaveReasonsWithoutTheNameOfTheField) {
  // A message starts with the path, so the reason need not name the field again.
  for (const Rule& rule : rules()) {
    if (rule.field.empty() || rule.scope == Scope::annotation) continue;
    for (const std::string& path : paths_of(rule.scope, rule.field)) {
      const std::string name = path.substr(path.rfind('.') + 1);
      if (name.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == name.npos) continue;  // a word
      EXPECT_EQ(rule.reason.find(name), rule.reason.npos) << rule.id << ": " << rule.reason;
    }
  }
}

}  // namespace
}  // namespace winadmit
