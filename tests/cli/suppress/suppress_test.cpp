// The parts that decide what is ignored; tests/cli/check_ignore_test.cpp and baseline_test.cpp have
// the whole.
#include <gtest/gtest.h>

#include <set>

#include "cli/suppress/annotation.hpp"
#include "cli/suppress/baseline.hpp"
#include "cli/suppress/comments.hpp"
#include "cli/suppress/fingerprint.hpp"
#include "manifests/document.hpp"
#include "tests/temporary_folder.hpp"

namespace winadmit::cli {
namespace {

TEST(IgnoreAnnotation, IsFoundInObjectsAndTemplates) {
  simdjson::dom::parser parser;
  const JsonValue object = parser.parse(std::string(R"({
    "metadata": {"annotations": {"winadmit.dev/ignore": "host-pid"}},
    "spec": {"tasks": [{"template": {"metadata": {"annotations": {"winadmit.dev/ignore": "a"}}}}]},
    "status": {"metadata": {"annotations": {"winadmit.dev/ignore": 1}}}})"));
  const auto found = find_ignore_annotations(object);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].pointer, "/metadata/annotations/winadmit.dev~1ignore");
  EXPECT_EQ(found[1].pointer, "/spec/tasks/0/template/metadata/annotations/winadmit.dev~1ignore");
}

TEST(IgnoreAnnotation, IsNotLookedForInTheOldObject) {
  simdjson::dom::parser parser;
  const JsonValue review = parser.parse(std::string(
      R"({"request": {"oldObject": {"metadata": {"annotations": {"winadmit.dev/ignore": "a"}}}}})"));
  EXPECT_TRUE(find_ignore_annotations(review).empty());
}

TEST(IgnoreComment, AppliesToItsLineOrTheNextField) {
  manifests::Document document(
      "a: 1  # winadmit: ignore host-pid it reads\r\n"
      "# winadmit: ignore host-ipc\n"
      " \r\n"
      "  # more about it\n"
      "  # winadmit: ignore hugepages\n"
      "b: 2\n"
      "# winadmit: ignore sub-path\n");
  const auto found = find_ignore_comments(document);
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0].applies_to, 1);
  EXPECT_EQ(found[0].reason, "it reads");
  EXPECT_EQ(found[0].column, 7);
  EXPECT_EQ(found[0].text, "a: 1  # winadmit: ignore host-pid it reads");
  EXPECT_EQ(found[1].applies_to, 6) << "the next line that is not blank and no comment";
  EXPECT_EQ(found[2].applies_to, 6);
  EXPECT_EQ(found[2].line, 5);
  EXPECT_EQ(found[3].applies_to, 0) << "nothing follows";
}

TEST(IgnoreComment, IsFoundBehindOtherMarks) {
  for (const char* line : {"image: example/winadmit:1 # winadmit: ignore a",
                           "privileged: false # see winadmit: policy # winadmit: ignore a",
                           "name: \"# winadmit: ignore b\" # winadmit: ignore a",
                           "a: 1 # winadmit: # winadmit: ignore a"}) {
    manifests::Document document(line);
    const auto found = find_ignore_comments(document);
    ASSERT_EQ(found.size(), 1U) << line;
    EXPECT_EQ(found[0].rule, "a");
    EXPECT_EQ(found[0].column, static_cast<int>(std::string(line).rfind('#')) + 1);
    EXPECT_EQ(found[0].applies_to, 1);
  }
}

TEST(IgnoreComment, MayHaveTheSyntaxOfTheAnnotationAndSeveralRules) {
  struct Case {
    const char* text;
    std::vector<std::string> rules;
    const char* reason;
  };
  for (const auto& [text, rules, reason] : {
           Case{"a: why", {"a"}, "why"},
           Case{"a : why", {"a"}, "why"},
           Case{"a,b", {"a", "b"}, ""},
           Case{"a, b: why, and how: so", {"a", "b"}, "why, and how: so"},
           Case{"a, b why ", {"a", "b"}, "why"},
           Case{"", {""}, ""},
       }) {
    manifests::Document document("x: 1 # winadmit: ignore " + std::string(text));
    const auto found = find_ignore_comments(document);
    ASSERT_EQ(found.size(), rules.size()) << text;
    for (std::size_t i = 0; i < rules.size(); ++i) {
      EXPECT_EQ(found[i].rule, rules[i]) << text;
      EXPECT_EQ(found[i].reason, reason) << text;
      EXPECT_EQ(found[i].applies_to, 1);
    }
  }
}

TEST(IgnoreComment, MayFollowAByteOrderMarkOrAnotherHash) {
  for (const char* text :
       {"\xEF\xBB\xBF# winadmit: ignore a\nb: 1\n", "## winadmit: ignore a\nb: 1\n"}) {
    manifests::Document document(text);
    const auto found = find_ignore_comments(document);
    ASSERT_EQ(found.size(), 1U) << text;
    EXPECT_EQ(found[0].applies_to, 2);
  }
}

TEST(IgnoreComment, IsNoOtherText) {
  for (const char* line : {"a: x# winadmit: ignore b", "a: winadmit: ignore b",
                           "# winadmit:", "# winadmit: enforce b", "# about winadmit: ignore b"}) {
    manifests::Document document(line);
    EXPECT_TRUE(find_ignore_comments(document).empty()) << line;
  }
}

ManifestFinding finding(const std::string& name = "web", int line = 1) {
  return {.location = {.file = "dir/../pods.yaml", .line = line},
          .object = {.group = "", .kind = "Pod", .name_space = "shop", .name = name},
          .field = "spec.hostPID",
          .rule = "host-pid"};
}

TEST(Fingerprint, DoesNotDependOnTheLineOrTheSpellingOfTheFile) {
  ManifestFinding moved = finding("web", 99);
  moved.location.file = "./pods.yaml";
  moved.reason = "other words";
  EXPECT_EQ(Fingerprints().of(finding()), Fingerprints().of(moved));
  EXPECT_EQ(Fingerprints().of(finding()).size(), 64U);
}

TEST(Fingerprint, DependsOnFileObjectFieldAndRule) {
  ManifestFinding other = finding();
  other.object.name_space = "sho";
  other.object.name = "pweb";
  EXPECT_NE(Fingerprints().of(finding()), Fingerprints().of(other))
      << "parts must not run together";
  std::set<std::string> fingerprints = {Fingerprints().of(finding())};
  for (std::string ObjectName::* const part :
       {&ObjectName::group, &ObjectName::kind, &ObjectName::name_space, &ObjectName::name}) {
    other = finding();
    other.object.*part += "x";
    fingerprints.insert(Fingerprints().of(other));
  }
  for (std::string ManifestFinding::* const part :
       {&ManifestFinding::field, &ManifestFinding::rule}) {
    other = finding();
    other.*part += "x";
    fingerprints.insert(Fingerprints().of(other));
  }
  other = finding();
  other.location.file = "others.yaml";
  fingerprints.insert(Fingerprints().of(other));
  EXPECT_EQ(fingerprints.size(), 8U);
}

TEST(Fingerprint, TellsEqualFindingsApart) {
  Fingerprints fingerprints;
  const std::string first = fingerprints.of(finding()), second = fingerprints.of(finding());
  EXPECT_NE(first, second);
  Fingerprints again;
  EXPECT_EQ(again.of(finding()), first);
  EXPECT_EQ(again.of(finding()), second);
}

TEST(Baseline, HasWhatWasWritten) {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "baseline.json").string();
  ManifestFinding known = finding(), other = finding("other");
  known.fingerprint = "a";
  other.fingerprint = "b";
  BaselineWriter writer(file);
  writer.add(known);
  writer.write();
  Baseline baseline(file);
  EXPECT_EQ(baseline.count_left(known.location.file), 1U);
  EXPECT_EQ(baseline.count_left("another.yaml"), 0U);
  EXPECT_FALSE(baseline.take(other));
  EXPECT_TRUE(baseline.take(known));
  EXPECT_FALSE(baseline.take(known)) << "it is taken once";
  EXPECT_EQ(baseline.count_left(known.location.file), 0U);
}

TEST(Baseline, RefusesOtherFiles) {
  const test::TemporaryFolder folder;
  for (const char* text :
       {"", "[]", "{}", R"({"version": 2, "findings": {}})", R"({"version": 1, "findings": []})",
        R"({"version": 1, "findings": {"a": 1}})",
        R"({"version": 1, "findings": {"a": {"rule": "host-pid"}}})",
        R"({"version": 1, "findings": {"a": {"file": 1}}})"}) {
    const std::string file = folder.write("other.json", text);
    try {
      const Baseline read(file);
      ADD_FAILURE() << text;
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(error.what(), file + " is not a baseline that --write-baseline wrote") << text;
    }
  }
  EXPECT_THROW(Baseline((folder / "none").string()), std::runtime_error);
}

}  // namespace
}  // namespace winadmit::cli
