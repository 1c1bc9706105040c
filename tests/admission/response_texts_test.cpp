#include "admission/response_texts.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace winadmit::server {
namespace {

Findings findings(std::size_t count, const std::string& reason) {
  Findings made{.kept = std::vector<Finding>(count), .denials = 0, .total = count};
  for (std::size_t i = 0; i < count; ++i) {
    made.kept[i].id = "some-rule";
    made.kept[i].action = Action::warn;
    made.kept[i].field = "spec.containers[" + std::to_string(i) + "]";
    made.kept[i].reason = reason;
    made.kept[i].instead = "remove it";
  }
  return made;
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

TEST(Warnings, StayWithinTheLimitsOfTheApiServer) {
  for (const std::size_t length : {0U, 1U, 100U, 200U, 230U, 256U, 300U, 5000U}) {
    for (const std::size_t count : {1U, 2U, 15U, 16U, 17U, 18U, 50U, 300U}) {
      SCOPED_TRACE(std::to_string(count) + " of " + std::to_string(length));
      const auto warnings = to_warnings(findings(count, std::string(length, 'x')));
      EXPECT_LE(total(warnings), kWarningsLimit);
      for (const std::string& each : warnings) EXPECT_LE(each.size(), kWarningLimit);
      ASSERT_FALSE(warnings.empty());
      EXPECT_TRUE(warnings.front().starts_with("spec.containers[0]: "));
      // Every finding is listed or counted.
      const std::string& last = warnings.back();
      std::size_t counted = warnings.size();
      if (last.starts_with("and ")) counted += std::stoul(last.substr(4)) - 1;
      EXPECT_EQ(counted, count);
    }
  }
}

TEST(Warnings, LeaveOutTheLeadFirstThenTheMiddleOfTheFieldThenTheEndOfTheReason) {
  Findings found = findings(1, std::string(200, 'x'));
  Finding& finding = found.kept[0];
  finding.lead = "should not be set for a windows pod";
  EXPECT_EQ(to_warnings(found)[0],
            "spec.containers[0]: " + std::string(200, 'x') + "; remove it (some-rule)");

  finding.field = "spec." + std::string(100, 'a') + '.' + std::string(100, 'b') + ".name";
  finding.reason = std::string(40, 'x');
  const std::string short_field = to_warnings(found)[0];
  EXPECT_EQ(short_field.size(), kWarningLimit);
  EXPECT_TRUE(short_field.starts_with("spec.aaaa")) << short_field;
  EXPECT_NE(short_field.find("aaa...bbb"), std::string::npos) << short_field;
  EXPECT_TRUE(short_field.ends_with("bbb.name: " + finding.reason + "; remove it (some-rule)"))
      << short_field;

  finding.reason = std::string(500, 'x');
  const std::string short_reason = to_warnings(found)[0];
  EXPECT_EQ(short_reason.size(), kWarningLimit);
  EXPECT_EQ(short_reason.find(": "), 100U) << short_reason;
  EXPECT_TRUE(short_reason.ends_with("xxx...; remove it (some-rule)")) << short_reason;

  finding.field = "f";
  const std::string advice(236, 'y');
  finding.instead = advice;
  EXPECT_EQ(to_warnings(found)[0], "f: ...; " + advice + " (some-rule)");
}

TEST(Warnings, AreNotCutInsideACharacter) {
  for (std::size_t shift = 0; shift < 4; ++shift) {
    std::string text(shift, 'x');
    for (int i = 0; i < 200; ++i) text += "\xE2\x98\x83";
    Findings found = findings(1, text);
    EXPECT_TRUE(is_utf8_whole(to_warnings(found)[0])) << shift;
    found.kept[0].field = text;
    EXPECT_TRUE(is_utf8_whole(to_warnings(found)[0])) << shift;
  }
}

TEST(Warnings, CountOneMore) {
  Findings found = findings(1, "is wrong");
  found.total = 2;
  EXPECT_EQ(to_warnings(found)[1], "and 1 more warning from winadmit");
}

TEST(Refusal, ListsDenialsFirstBelowALineThatSaysEnoughAlone) {
  auto found = findings(4, "is wrong");
  found.kept[1].id = "other-rule";
  found.denials = 3;
  EXPECT_EQ(refusal_message(found),
            "3 problems. First: spec.containers[0]: is wrong; remove it (some-rule). "
            "Others: other-rule, some-rule"
            "\n* spec.containers[0]: is wrong; remove it (some-rule)"
            "\n* spec.containers[1]: is wrong; remove it (other-rule)"
            "\n* spec.containers[2]: is wrong; remove it (some-rule)"
            "\nwarnings:"
            "\n* spec.containers[3]: is wrong; remove it (some-rule)");
}

TEST(Refusal, OfOneDenialIsItsMessage) {
  auto found = findings(1, "is wrong");
  found.denials = 1;
  EXPECT_EQ(refusal_message(found), "spec.containers[0]: is wrong; remove it (some-rule)");
  found = findings(2, "is wrong");
  found.denials = 1;
  EXPECT_EQ(refusal_message(found),
            "spec.containers[0]: is wrong; remove it (some-rule)"
            "\nwarnings:"
            "\n* spec.containers[1]: is wrong; remove it (some-rule)");
}

TEST(Refusal, HasAFirstLineThatFitsAnEvent) {
  auto found = findings(100, std::string(400, 'x'));
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < 100; ++i) ids.push_back("some-rule-" + std::to_string(i));
  for (std::size_t i = 0; i < 100; ++i) found.kept[i].id = ids[i];
  found.denials = found.total = 100;
  const std::string message = refusal_message(found);
  const std::string first = message.substr(0, message.find('\n'));
  EXPECT_LE(first.size(), kFirstLineLimit);
  EXPECT_GT(first.size(), kFirstLineLimit - 100);
  EXPECT_TRUE(first.ends_with(", and more")) << first;

  found = findings(100, "is wrong");
  found.denials = found.total = 5000;
  EXPECT_TRUE(refusal_message(found).starts_with(
      "5,000 problems. First: spec.containers[0]: is wrong; remove it (some-rule). "
      "Others: some-rule, and more\n* "));
}

TEST(Refusal, NamesOneOtherRuleBehindALongFirstProblem) {
  Findings found = findings(2, std::string(kFirstLineLimit, 'x'));
  found.kept[1].id = "other-rule";
  found.denials = 2;
  const std::string message = refusal_message(found);
  const std::string first = message.substr(0, message.find('\n'));
  EXPECT_TRUE(first.ends_with(". Others: other-rule")) << first;
}

TEST(Refusal, StaysWithinItsLimitAndCountsTheRest) {
  Findings found = findings(100, std::string(1000, 'x'));
  found.denials = 100;
  found.total = 600'000;
  const std::string message = refusal_message(found);
  EXPECT_LE(message.size(), kMessageLimit);
  EXPECT_GT(message.size(), kMessageLimit - 2000);
  const auto listed = static_cast<std::size_t>(std::ranges::count(message, '*'));
  EXPECT_TRUE(message.ends_with("\nand 599," + std::to_string(1000 - listed) + " more")) << listed;
}

TEST(Warnings, AuditAnnotationsStayWithinTheirLimitsAndCountTheRest) {
  Findings found = findings(100, std::string(1000, 'x'));
  found.total = 5000;
  constexpr std::string_view kIds[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
  for (std::size_t i = 0; i < 100; ++i) found.kept[i].id = kIds[i % 8];
  const auto notes = to_audit_annotations(found);
  std::size_t size = 0;
  std::size_t listed = 0;
  for (const auto& [id, note] : notes) {
    EXPECT_LE(note.size(), kAuditAnnotationLimit);
    size += note.size();
    for (std::size_t at = 0; (at = note.find("]: ", at)) != note.npos; ++at) ++listed;
  }
  EXPECT_LE(size, kAuditAnnotationsLimit);
  EXPECT_GT(size, kAuditAnnotationsLimit - 2000);
  EXPECT_EQ(notes.at("more-findings"), "4," + std::to_string(1000 - listed));
}

TEST(Warnings, AuditAnnotationsJoinTheFindingsOfARuleAndOmitARuleWithoutRoom) {
  Findings found = findings(2, "is wrong");
  EXPECT_EQ(to_audit_annotations(found).at("some-rule"),
            found.kept[0].message() + "; " + found.kept[1].message());
  found = findings(1, std::string(kAuditAnnotationLimit, 'x'));
  EXPECT_EQ(to_audit_annotations(found),
            (std::map<std::string, std::string>{{"more-findings", "1"}}));
}

}  // namespace
}  // namespace winadmit::server
