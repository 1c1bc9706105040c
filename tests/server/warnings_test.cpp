#include "server/warnings.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace winadmit::server {
namespace {

std::vector<Finding> findings(std::size_t count, const std::string& text) {
  std::vector<Finding> made(count);
  for (std::size_t i = 0; i < count; ++i) {
    made[i].id = "some-rule";
    made[i].action = Action::warn;
    made[i].field = "spec.containers[" + std::to_string(i) + "]";
    made[i].text = text;
  }
  return made;
}

std::string message(const std::vector<Finding>& findings) {
  std::string text;
  say(findings, [&](const auto&... pieces) { append(text, pieces...); });
  return text;
}

std::size_t total(const std::vector<std::string>& warnings) {
  return std::accumulate(
      warnings.begin(), warnings.end(), std::size_t{0},
      [](std::size_t sum, const std::string& each) { return sum + each.size(); });
}

bool is_utf8_whole(const std::string& text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (at + size > text.size()) return false;
    for (std::size_t i = 1; i < size; ++i) {
      if ((static_cast<unsigned char>(text[at + i]) & 0xC0U) != 0x80) return false;
    }
    at += size;
  }
  return true;
}

TEST(Warnings, KeepTheLimitsOfTheApiServer) {
  for (const std::size_t length : {0U, 1U, 100U, 200U, 230U, 256U, 300U, 5000U}) {
    for (const std::size_t count : {1U, 2U, 15U, 16U, 17U, 18U, 50U, 300U}) {
      SCOPED_TRACE(std::to_string(count) + " of " + std::to_string(length));
      const auto warnings = to_warnings(findings(count, std::string(length, 'x')));
      EXPECT_LE(total(warnings), kWarningsLimit);
      for (const std::string& each : warnings) EXPECT_LE(each.size(), kWarningLimit);
      ASSERT_FALSE(warnings.empty());
      EXPECT_TRUE(warnings.front().starts_with("spec.containers[0]: "));
      // Every finding is there or is counted.
      const std::string& last = warnings.back();
      std::size_t counted = warnings.size();
      if (last.starts_with("and ")) counted += std::stoul(last.substr(4)) - 1;
      EXPECT_EQ(counted, count);
    }
  }
}

TEST(Warnings, KeepTheRuleWhereTheTextIsCut) {
  const auto warnings = to_warnings(findings(1, std::string(500, 'x')));
  EXPECT_EQ(warnings[0].size(), kWarningLimit);
  EXPECT_TRUE(warnings[0].ends_with("x... (some-rule)"));
}

TEST(Warnings, AreNotCutInsideOfACharacter) {
  for (std::size_t shift = 0; shift < 4; ++shift) {
    std::string text(shift, 'x');
    for (int i = 0; i < 200; ++i) text += "\xE2\x98\x83";
    EXPECT_TRUE(is_utf8_whole(to_warnings(findings(1, text))[0])) << shift;
  }
}

TEST(Message, HasTheReasonsFirstAndAllOfThem) {
  auto found = findings(3, "is wrong");
  found[0].action = found[1].action = Action::deny;
  EXPECT_EQ(message(found),
            "refused for 2 reasons:"
            "\n* spec.containers[0]: is wrong (some-rule)"
            "\n* spec.containers[1]: is wrong (some-rule)"
            "\nand warned of:"
            "\n* spec.containers[2]: is wrong (some-rule)");
  EXPECT_EQ(message(findings(1, "is wrong")), "spec.containers[0]: is wrong (some-rule)");
}

}  // namespace
}  // namespace winadmit::server
