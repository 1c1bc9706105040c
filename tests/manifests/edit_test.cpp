#include "manifests/edit.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "manifests/editor.hpp"
#include "manifests/parse.hpp"
#include "manifests/to_json.hpp"

namespace winadmit::manifests {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

/// "-/a/b" removes, "+/a/b VALUE" adds.
std::vector<FieldChange> changes_of(NodeId root, const std::vector<std::string>& operations) {
  std::vector<FieldChange> changes;
  for (const std::string& each : operations) {
    const std::size_t space = std::min(each.find(' '), each.size());
    changes.push_back({.root = root, .pointer = each.substr(1, space - 1)});
    if (each.front() == '+') changes.back().value = ordered_json::parse(each.substr(space));
  }
  return changes;
}

json patched(const json& object, const std::vector<FieldChange>& changes) {
  json patch = json::array();
  for (const FieldChange& each : changes) {
    patch.push_back({{"op", each.value ? "add" : "remove"}, {"path", each.pointer}});
    if (each.value) patch.back()["value"] = *each.value;
  }
  return object.patch(patch);
}

std::string edited(const std::string& text, const std::vector<std::string>& operations) {
  Document document(text);
  parse(document, {});
  const NodeId root = document.roots().front();
  const std::vector<FieldChange> changes = changes_of(root, operations);
  const json wanted = patched(to_json(document, root), changes);
  return apply_edits(text, edit(document, changes, {wanted}));
}

struct EditCase {
  const char* text;
  std::vector<std::string> operations;
  const char* expected;
};

void expect_all(const std::vector<EditCase>& cases) {
  for (const EditCase& each : cases) {
    try {
      EXPECT_EQ(edited(each.text, each.operations), each.expected) << each.text;
    } catch (const EditError& error) {
      ADD_FAILURE() << each.text << error.offset << ": " << error.what();
    }
  }
}

TEST(Edit, RemovesMembersOfBlocks) {
  expect_all({
      {"a: 1\nb: 2\nc: 3\n", {"-/b"}, "a: 1\nc: 3\n"},
      {"a: 1\nb: 2\n", {"-/a"}, "b: 2\n"},
      {"a: 1\nb: 2", {"-/b"}, "a: 1"},
      {"a: 1\r\nb: 2", {"-/b"}, "a: 1"},
      {"a: 1\nb: 2\nc: 3", {"-/b", "-/c"}, "a: 1"},
      {"a: 1\nb:\n  c: 2\n  d: 3", {"-/b/c", "-/b/d", "+/e 4"}, "a: 1\nb: {}\ne: 4"},
      {"a: 1\r\nb: 2\r\n", {"-/b"}, "a: 1\r\n"},
      {"a:\n  b: 1 # b\n  # of c\n  c: 2\n", {"-/a/b"}, "a:\n  # of c\n  c: 2\n"},
      {"a:\n  b:\n    c: 1\n    # in b\n    d: 2\n\n  e: 3\n", {"-/a/b"}, "a:\n\n  e: 3\n"},
      {"a: |\n  text\n   more\nb: 1\n", {"-/a"}, "b: 1\n"},
      {"a: \"x\n  y\"\nb: 1\n", {"-/a"}, "b: 1\n"},
      {"a:\nb: 1\n", {"-/a"}, "b: 1\n"},
      {"a: [1,\n  2]  # c\nb: 1\n", {"-/a"}, "b: 1\n"},
      {"---\na: 1\nb: 2\n...\n", {"-/b"}, "---\na: 1\n...\n"},
  });
}

TEST(Edit, AddsBeforeARemovedEndOfATextWithoutALineEnd) {
  expect_all({
      {"a:\n  b: 1\nc: 2", {"+/a/x 1", "-/c"}, "a:\n  b: 1\n  x: 1"},
      {"a:\r\n  b: 1\r\nc: 2", {"+/a/x 1", "-/c"}, "a:\r\n  b: 1\r\n  x: 1"},
      {"a:\n- b\nc:\n  d: 1", {"+/a/- 1", "-/c"}, "a:\n- b\n- 1"},
      {"a: {}\nc: 2", {"+/a/x 1", "-/c"}, "a:\n  x: 1"},
  });
}

TEST(Edit, RemovesMembersBehindADash) {
  expect_all({
      {"- a: 1\n  b: 2\n", {"-/0/a"}, "- b: 2\n"},
      {"- a: 1\n  b: 2\n", {"-/0/b"}, "- a: 1\n"},
      {"- a: 1\n  # of b\n  b: 2\n", {"-/0/a"}, "- # of b\n  b: 2\n"},
      {"-   a: 1\n    b: 2\n    c: 3\n", {"-/0/a", "-/0/b"}, "-   c: 3\n"},
      {"- a:\n    x: 1\n\n  b: 2\n", {"-/0/a"}, "- b: 2\n"},
      {"- a: 1\n- b: 2\n", {"-/0/a"}, "- {}\n- b: 2\n"},
  });
}

TEST(Edit, LeavesBracketsWhereNothingIsLeft) {
  expect_all({
      {"a:\n  b: 1\nc: 2\n", {"-/a/b"}, "a: {}\nc: 2\n"},
      {"a: # why\n  b: 1\n  # c\n  c: 2\n", {"-/a/b", "-/a/c"}, "a: {} # why\n  # c\n"},
      {"a: {b: 1}\n", {"-/a/b"}, "a: {}\n"},
      {"a: &x\n  b: 1\nc: *x\n", {"-/a/b", "-/c/b"}, "a: &x {}\nc: *x\n"},
      {"a: !!map &x # why\n  b: 1\nc: {<<: *x}\n",
       {"-/a/b", "-/c/b"},
       "a: !!map &x {} # why\nc: {<<: *x}\n"},
      {"a: { b: 1, c: 2 }\n", {"-/a/b", "-/a/c"}, "a: {}\n"},
      {"- a: |\r\n    x\r\n- b: 2\r\n", {"-/0/a"}, "- {}\r\n- b: 2\r\n"},
  });
}

TEST(Edit, RemovesMembersInBrackets) {
  expect_all({
      {"{a: 1, b: 2, c: 3}", {"-/a"}, "{b: 2, c: 3}"},
      {"{a: 1, b: 2, c: 3}", {"-/b"}, "{a: 1, c: 3}"},
      {"{a: 1, b: 2, c: 3}", {"-/c"}, "{a: 1, b: 2}"},
      {"{a: 1, b: 2, c: 3}", {"-/a", "-/c"}, "{b: 2}"},
      {"{ \"a\" : 1 , \"b\" : 2 }", {"-/b"}, "{ \"a\" : 1 }"},
      {"{a: 1, b: 2,}", {"-/b"}, "{a: 1,}"},
      {"{a, b: 2}", {"-/a"}, "{b: 2}"},
      {"{a: 1, # of a\n b: 2, # of b\n c: 3}", {"-/b"}, "{a: 1, # of a\n c: 3}"},
      {"{\n  \"a\": 1,\n  \"b\": {\n    \"c\": 2\n  }\n}\n", {"-/b"}, "{\n  \"a\": 1\n}\n"},
      {"{\n  \"a\": 1,\n  \"b\": 2\n}\n", {"-/a"}, "{\n  \"b\": 2\n}\n"},
  });
}

TEST(Edit, RemovesTheCommentsOfRemovedMembersInBrackets) {
  expect_all({
      {"{a: 1,\n b: 2 # of b\n}", {"-/b"}, "{a: 1,\n}"},
      {"{\n a: 1, # of a\n b: 2 # of b\n}", {"-/a"}, "{\n b: 2 # of b\n}"},
      {"{\n a: 1, b: 2, # of both\n c: 3\n}", {"-/a"}, "{\n b: 2, # of both\n c: 3\n}"},
      {"{\n a: 1, b: 2, # of both\n c: 3\n}", {"-/b"}, "{\n a: 1, # of both\n c: 3\n}"},
      {"{\n a: 1, b: 2, # of both\n c: 3\n}", {"-/a", "-/b"}, "{\n c: 3\n}"},
      {"{\r\n a: {x: 1,\r\n  y: 2}, # of a\r\n b: 2\r\n}", {"-/a"}, "{\r\n b: 2\r\n}"},
      {"{ # of all\n a: 1, # of a\n # above b\n b: 2\n}",
       {"-/a"},
       "{ # of all\n # above b\n b: 2\n}"},
      {"{ # of all\n a: 1, # of a\n # above b\n b: 2\n}",
       {"-/b"},
       "{ # of all\n a: 1, # of a\n # above b\n}"},
      {"{ a: 1, # of the line\n b: 2\n}", {"-/a"}, "{ # of the line\n b: 2\n}"},
      {"{a: 1,\n # above b\n b: 2,\n c: 3}", {"-/b"}, "{a: 1,\n # above b\n c: 3}"},
      {"x: {\n a: 1, # of a\n b: 2 # of b\n }\n", {"-/x/a", "-/x/b"}, "x: {}\n"},
      {"x: { # why\n a: 1, # of a\n # above b\n b: 2 # of b\n }\n",
       {"-/x/a", "-/x/b"},
       "x: { # why\n # above b\n }\n"},
  });
}

TEST(Edit, AppendsBehindTheCommentsOfTheLastMemberInBrackets) {
  expect_all({
      {"{\n a: 1, # of a\n b: 2 # of b\n}", {"+/c 3"}, "{\n a: 1, # of a\n b: 2, # of b\n c: 3\n}"},
      {"{\n a: 1,\n b: 2, # of b\n}",
       {"+/c 3", "+/d 4"},
       "{\n a: 1,\n b: 2, # of b\n c: 3,\n d: 4,\n}"},
      {"{\r\n a: 1 # of a\r\n # below\r\n}",
       {"+/b 2"},
       "{\r\n a: 1, # of a\r\n # below\r\n b: 2\r\n}"},
      {"x: [1, 2 # of 2\n ]\n", {"+/x/- 3"}, "x: [1, 2, # of 2\n  3\n ]\n"},
      {"{\n a: 1 # of a\n ,\n}", {"+/b 2"}, "{\n a: 1 # of a\n ,\n b: 2,\n}"},
  });
}

TEST(Edit, AddsMembersInTheStyleAround) {
  expect_all({
      {"a: 1\n", {"+/b {\"c/d\": \"x\"}"}, "a: 1\nb:\n  c/d: x\n"},
      {"a: 1", {"+/b \"x\""}, "a: 1\nb: x"},
      {"a: 1\r\n", {"+/b \"yes\""}, "a: 1\r\nb: \"yes\"\r\n"},
      {"a:\n    b: 1\nc: 2\n", {"+/a/d {\"e\": 1}"}, "a:\n    b: 1\n    d:\n        e: 1\nc: 2\n"},
      {"a:\n  b: 1 # b\n  # last\nc: 2\n", {"+/a/d 1"}, "a:\n  b: 1 # b\n  # last\n  d: 1\nc: 2\n"},
      {"a:\n  - b: 1\n",
       {"+/a/0/c [{\"k\": \"v\", \"w\": 1}]"},
       "a:\n  - b: 1\n    c:\n      - k: v\n        w: 1\n"},
      {"a:\n- b: 1\n", {"+/a/0/c [{\"k\": \"v\"}]"}, "a:\n- b: 1\n  c:\n  - k: v\n"},
      {"a: |\n  text", {"+/b 1"}, "a: |\n  text\nb: 1"},
      {"a:\n  b: |\n    text\nc: 1\n", {"+/a/d 1"}, "a:\n  b: |\n    text\n  d: 1\nc: 1\n"},
      {"a: {b: 1}\n", {"+/a/c \"x\""}, "a: {b: 1, c: x}\n"},
      {"{\"a\":{\"b\":1}}", {"+/a/c {\"d\": \"x\"}"}, "{\"a\":{\"b\":1,\"c\":{\"d\":\"x\"}}}"},
      {"{\n  \"a\": 1\n}\n",
       {"+/b {\"c\": [\"x\"]}"},
       "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": [\n      \"x\"\n    ]\n  }\n}\n"},
      {"{\n  a: 1, b: 2}\n", {"+/c {\"k\": \"v\"}"}, "{\n  a: 1, b: 2, c: {k: v}}\n"},
      {"{a: 1,}", {"+/b 2"}, "{a: 1, b: 2,}"},
      {"{\"a\"}", {"+/b 2"}, "{\"a\", \"b\": 2}"},
  });
}

TEST(Edit, ReplacesWhatIsNullOrEmpty) {
  expect_all({
      {"a:\n  b: null\n", {"+/a/b {\"c\": \"x\"}"}, "a:\n  b:\n    c: x\n"},
      {"a:\n  b: # why\n", {"+/a/b {\"c\": \"x\"}"}, "a:\n  b: # why\n    c: x\n"},
      {"a:\n  b: {}  # why\nc: 1\n", {"+/a/b/c \"x\""}, "a:\n  b:  # why\n    c: x\nc: 1\n"},
      {"a:\n  b: []\n", {"+/a/b/- {\"k\": 1}", "+/a/b/- 2"}, "a:\n  b:\n  - k: 1\n  - 2\n"},
      {"{a: {}}", {"+/a/b 1"}, "{a: {b: 1}}"},
      {"{\"a\": []}", {"+/a/- \"x\""}, "{\"a\": [\"x\"]}"},
      {"{\"a\": null}", {"+/a {\"b\": \"x\"}"}, "{\"a\": {\"b\": \"x\"}}"},
  });
}

TEST(Edit, FillsEmptyBracketsOverSeveralLines) {
  expect_all({
      {"a:\n  b: [\n  ]\nc: 1\n", {"+/a/b/- 1"}, "a:\n  b:\n  - 1\nc: 1\n"},
      {"a:\n  b:\n    {}\nc: 1\n", {"+/a/b/d 1"}, "a:\n  b:\n    d: 1\nc: 1\n"},
  });
}

TEST(Edit, AppendsEntries) {
  expect_all({
      {"a:\n- x\n", {"+/a/- \"v\""}, "a:\n- x\n- v\n"},
      {"a:\n- x\n", {"+/a/- {}", "+/a/- []"}, "a:\n- x\n- {}\n- []\n"},
      {"a:\n  -   x: 1\nb: 2\n",
       {"+/a/- {\"x\": 2, \"z\": 3}"},
       "a:\n  -   x: 1\n  -   x: 2\n      z: 3\nb: 2\n"},
      {"a:\n- 1\n", {"+/a/- [1, 2]"}, "a:\n- 1\n- [1,2]\n"},
      {"a: [x]\n", {"+/a/- {\"k\": \"v\"}"}, "a: [x, {k: v}]\n"},
      {"{ a: [x] }\n", {"+/a/- {\"k\": \"v\"}"}, "{ a: [x, { k: v }] }\n"},
      {"a: [x,y]\n", {"+/a/- \"z\""}, "a: [x,y,z]\n"},
      {"\"a\": [x]\n", {"+/a/- \"z\""}, "\"a\": [x, z]\n"},
      {"a:\n- x", {"+/a/- \"v\"", "+/b 1"}, "a:\n- x\n- v\nb: 1"},
  });
}

TEST(Edit, EditsWhatAnAliasSharesOnlyIfAllPlacesChangeAlike) {
  const std::string shared = "a: &s\n  x: 1\n  y: 2\nb: *s\n";
  EXPECT_EQ(edited(shared, {"-/a/x", "-/b/x"}), "a: &s\n  y: 2\nb: *s\n");
  const std::string merged = "a: &s {x: 1}\nb:\n  <<: *s\n  z: 3\n";
  EXPECT_EQ(edited(merged, {"+/b/w 2"}), "a: &s {x: 1}\nb:\n  <<: *s\n  z: 3\n  w: 2\n");
  struct Refused {
    std::string text;
    std::vector<std::string> operations;
    std::size_t offset;
  };
  for (const Refused& each : {Refused{shared, {"-/b/x"}, 23}, Refused{shared, {"-/a/x"}, 3},
                              Refused{shared, {"-/a"}, 3}, Refused{merged, {"-/b/x"}, 7}}) {
    try {
      ADD_FAILURE() << edited(each.text, each.operations);
    } catch (const EditError& error) {
      EXPECT_EQ(error.offset, each.offset);
      EXPECT_STREQ(error.what(), "this is shared with another place by an alias or a merge key");
    }
  }
}

TEST(Edit, BlamesNoAnchorWithoutAnAlias) {
  try {
    ADD_FAILURE() << edited("a: &unused\n  - b: 1\n  - {c: 1}\n", {"-/a/0"});
  } catch (const EditError& error) {
    EXPECT_STREQ(error.what(), "this cannot be edited in place");
  }
}

TEST(Edit, InsertsBehindTheCommentsOfTheLastValue) {
  expect_all({
      {"a:\n  b:\n  - c\n  # - d\n# e\ne: 1\n",
       {"+/a/x 1"},
       "a:\n  b:\n  - c\n  # - d\n  x: 1\n# e\ne: 1\n"},
      {"a:\n- c\n  # of c\n# of e\ne: 1\n", {"+/a/- 1"}, "a:\n- c\n  # of c\n- 1\n# of e\ne: 1\n"},
      {"a:\n  b: 1\n\n  # far\n", {"+/a/x 1"}, "a:\n  b: 1\n  x: 1\n\n  # far\n"},
      {"a:\n  b: 1\n  # end", {"+/a/x 1"}, "a:\n  b: 1\n  # end\n  x: 1"},
  });
}

TEST(Edit, IndentsWithTheCharactersOfTheText) {
  expect_all({
      {"{\n\t\"a\": {\n\t\t\"b\": 1\n\t}\n}\n",
       {"+/a/c {\"d\": 1}"},
       "{\n\t\"a\": {\n\t\t\"b\": 1,\n\t\t\"c\": {\n\t\t\t\"d\": 1\n\t\t}\n\t}\n}\n"},
      {"{\n\t\"a\": []\n}\n", {"+/a/- 1"}, "{\n\t\"a\": [\n\t\t1\n\t]\n}\n"},
  });
}

TEST(Edit, RefusesWhatItCannotDoInPlace) {
  for (const auto& [text, operation, why] :
       {std::tuple{"? a\n: 1\nb: 2\n", "-/a", kExplicitKey},
        std::tuple{"a:\n  ? b\n  : 1\n", "+/a/c 1", kExplicitKey},
        std::tuple{"a: &unused\n  ? b\n  : 1\n", "+/a/c 1", kExplicitKey},
        std::tuple{"? a\n:\n  b: 1\n", "-/a/b", kExplicitKey},
        std::tuple{"a: {\n  # none\n}\n", "+/a/b 1", kCommentInside},
        std::tuple{"{a: {\n # none\n}}\n", "+/a/b 1", kCommentInside},
        std::tuple{"{a: [ # none\n]}\n", "+/a/- 1", kCommentInside},
        std::tuple{"a: &b null\n", "+/a {\"b\": 1}", kHasProperties}}) {
    try {
      ADD_FAILURE() << edited(text, {operation});
    } catch (const EditError& error) {
      EXPECT_EQ(std::string(error.what()), std::string("this cannot be edited in place: ") + why);
    }
  }
}

}  // namespace
}  // namespace winadmit::manifests
