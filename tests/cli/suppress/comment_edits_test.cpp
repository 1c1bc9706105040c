#include "cli/suppress/comment_edits.hpp"

#include <gtest/gtest.h>

#include <ctime>
#include <random>
#include <set>

#include "cli/fix/edit_objects.hpp"
#include "cli/judge/apply_patch.hpp"
#include "cli/judge/manifest_checker.hpp"
#include "cli/suppress/comments.hpp"
#include "manifests/edit.hpp"
#include "manifests/location.hpp"
#include "manifests/parse.hpp"
#include "tests/captured_objects.hpp"
#include "tests/manifests/json_manifest.hpp"
#include "tests/manifests/yaml_style.hpp"
#include "tests/test_data.hpp"
#include "text/json_pointer.hpp"

namespace winadmit::cli {
namespace {

using nlohmann::json;

/// The text without the parts in `removed`, and without their comments.
std::string edited(const std::string& text, const std::vector<std::string>& removed) {
  manifests::Document document(text);
  manifests::parse(document, {});
  std::vector<manifests::TextEdit> edits(removed.size());
  for (std::size_t i = 0; i < removed.size(); ++i) {
    edits[i].begin = text.find(removed[i]);
    edits[i].end = edits[i].begin + removed[i].size();
  }
  manifests::keep_missing_line_end(text, edits);
  remove_comments_of_removed(document, edits, {});
  return manifests::apply_edits(text, edits);
}

TEST(CommentEdits, RemoveCommentsWithTheirFields) {
  EXPECT_EQ(edited("# winadmit: ignore x\na: 1\nb: 2\n", {"a: 1\n"}), "b: 2\n");
  EXPECT_EQ(edited("b: 2\r\n# winadmit: ignore x\r\n\r\n# why\r\na: 1\r\nc: 3\r\n", {"a: 1\r\n"}),
            "b: 2\r\n\r\n# why\r\nc: 3\r\n");
  EXPECT_EQ(edited("b: 2\n# winadmit: ignore x\na: 1", {"a: 1"}), "b: 2");
  EXPECT_EQ(
      edited("b: 2\n# winadmit: ignore x, y\n# winadmit: ignore z\na: {c: 1}\n", {"a: {c: 1}\n"}),
      "b: 2\n");
  EXPECT_EQ(edited("- # winadmit: ignore x\n  a: 1\n  b: 2\n", {"a: 1\n  "}),
            "- # winadmit: ignore x\n  b: 2\n")
      << "it is for the line of the dash";
}

TEST(CommentEdits, KeepCommentsOfOtherFields) {
  const std::string text =
      "o: 0\na: 1 # winadmit: ignore x\n# winadmit: ignore y\nb: {c: 1, d: 2}\n";
  EXPECT_EQ(edited(text, {"c: 1, "}),
            "o: 0\na: 1 # winadmit: ignore x\n# winadmit: ignore y\nb: {d: 2}\n");
  EXPECT_EQ(edited(text, {"a: 1 # winadmit: ignore x\n"}),
            "o: 0\n# winadmit: ignore y\nb: {c: 1, d: 2}\n");
}

TEST(CommentEdits, KeepACommentBehindBracketsThatAreEmptied) {
  EXPECT_EQ(edited("a:\n  {b: 1} # winadmit: ignore x\nc: 2\n", {"b: 1"}),
            "a:\n  {} # winadmit: ignore x\nc: 2\n");
}

TEST(CommentEdits, TakeTimeInProportionToALine) {
  const auto time = [](int fields) {
    std::string comments, text = "{a: 1";
    for (int i = 0; i < fields; ++i) {
      comments += "# winadmit: ignore x\n";
      text += ", b" + std::to_string(i) + ": 1";
    }
    text = comments + text + "}\n";
    const std::clock_t begin = std::clock();  // the time of this process alone
    EXPECT_EQ(edited(text, {"a: 1, "}).size(), text.size() - 6);
    return std::clock() - begin;
  };
  EXPECT_LT(time(32'000), 40 * time(4'000));
}

TEST(CommentEdits, AreRefusedIfACommentWouldBeForAnotherField) {
  EXPECT_THROW(edited("{a: 1,\n b: 2, # winadmit: ignore x\n c: 3}\n", {"b: 2,"}),
               manifests::EditError);
  EXPECT_THROW(edited("- a: 1\n  b: 2 # winadmit: ignore x\n", {"a: 1\n  "}), manifests::EditError);
}

TEST(CommentEdits, AreRefusedIfTheyRemoveACommentOfAFieldThatStays) {
  const auto is_refused = [](const std::string& text, const std::string& removed) {
    EXPECT_THROW(edited(text, {removed}), manifests::EditError) << text;
  };
  is_refused("{a: {\n # winadmit: ignore x\n b: 1}, c: 2}\n",
             "a: {\n # winadmit: ignore x\n b: 1}, ");
  is_refused("{c: 2, a: { # winadmit: ignore x\n b: 1}}\n", ", a: { # winadmit: ignore x\n b: 1}");
  EXPECT_EQ(edited("{c: 2,\n a: { # winadmit: ignore x\n b: 1}}\n",
                   {",\n a: { # winadmit: ignore x\n b: 1}"}),
            "{c: 2}\n");
}

/// The object with comments of their own rules, "rule0", in a random style.
std::string with_ignore_comments(const json& object, std::mt19937& random) {
  std::string text = test::StyledYaml(object, random).text();
  int count = 0;
  for (std::size_t at = 0; (at = text.find('#', at)) != std::string::npos;) {
    const std::string mark = "# winadmit: ignore rule" + std::to_string(count++) + ' ';
    const bool is_comment =
        text.compare(at, 9, "# comment") == 0 || text.compare(at, 8, "# on the") == 0;
    if (is_comment) text.replace(at, 1, mark);
    at += is_comment ? mark.size() : 1;
  }
  return text;
}

/// "rule0 /spec/hostPID" for each field whose findings of the rule are ignored.
std::set<std::string> ignored(const std::string& text, const json& object) {
  const auto document = std::make_shared<manifests::Document>(text);
  manifests::parse(*document, {});
  const manifests::NodeId root = document->roots().front();
  const manifests::Manifest manifest{
      .file = "a", .object = {}, .document = document, .node = root, .root = root};
  const std::vector<IgnoreComment> comments = find_ignore_comments(*document);
  std::set<std::string> found;
  const auto visit = [&](const auto& self, const json& value, const std::string& pointer) -> void {
    const int line = manifests::location_of(manifest, pointer).line;
    for (const IgnoreComment& each : comments) {
      if (each.applies_to == line) found.insert(each.rule + ' ' + pointer);
    }
    for (const auto& [key, member] : value.items()) {
      if (value.is_structured())
        self(self, member,
             pointer + json::json_pointer("/" + escape_pointer_token(key)).to_string());
    }
  };
  visit(visit, object, "");
  return found;
}

/// Whether an object has a field, or a list a scalar, at the pointer of "rule0 /spec/hostPID". An
/// object in a list is where its first field is, which may be removed.
bool has_field(const json& object, const std::string& ignored) {
  const json::json_pointer pointer(ignored.substr(ignored.find('/')));
  return object.contains(pointer) &&
         (object.at(pointer.parent_pointer()).is_object() || !object.at(pointer).is_structured());
}

TEST(CommentEdits, NeverIgnoreMoreOrLess) {
  std::mt19937 random(1);
  ManifestChecker checker = [] {
    server::Config config;
    config.policy.set_os = true;
    return ManifestChecker(config, Os::windows);
  }();
  int edited = 0, removed = 0, refused = 0;
  for (json object : test::captured_objects()) {
    if (random() % 2 == 0 && object.value("kind", "") == "Pod")
      object["spec"]["os"] = {{"name", "windows"}};
    const manifests::Manifest manifest = test::manifest_of(object);
    const Patch patch = checker.fixer().fix(manifest).patch;
    if (patch.empty()) continue;
    json wanted = object;
    apply_patch(patch, wanted);
    for (int i = 0; i < 8; ++i) {
      const std::string text = with_ignore_comments(object, random);
      SCOPED_TRACE(text);
      const auto document = std::make_shared<manifests::Document>(text);
      manifests::parse(*document, {});
      manifests::Manifest written = manifest;
      written.document = document;
      written.root = written.node = document->roots().front();
      try {
        const ObjectEdits made = edit_objects(*document, {{written, patch}}, {});
        const std::string after = manifests::apply_edits(text, made.edits);
        SCOPED_TRACE(after);
        const std::set<std::string> ignored_before = ignored(text, object);
        const std::set<std::string> ignored_after = ignored(after, wanted);
        for (const std::string& each : ignored_after)
          ASSERT_TRUE(ignored_before.contains(each)) << each;
        for (const std::string& each : ignored_before)
          ASSERT_TRUE(ignored_after.contains(each) || !has_field(wanted, each)) << each;
        ++edited;
        removed += made.removed_comments.empty() ? 0 : 1;
      } catch (const manifests::EditError&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(edited, 500);
  EXPECT_GT(removed, 5);
  EXPECT_LT(refused, edited / 10);
  RecordProperty("edited", edited);
  RecordProperty("removed", removed);
  RecordProperty("refused", refused);
}

}  // namespace
}  // namespace winadmit::cli
