#include "policy/json/json.hpp"

#include <gtest/gtest.h>

#include "tests/policy/parsed.hpp"

namespace winadmit {
namespace {

TEST(Json, ReadsMembersOfTheRightTypeAndNullAsAbsent) {
  const test::ParsedJson json(R"({"text":"a","flag":true,"list":[1],"none":null,"other":1})");
  std::optional<std::string_view> text;
  std::optional<bool> flag;
  std::optional<JsonArray> list;
  std::optional<JsonObject> none;
  std::optional<JsonObject> absent;
  FieldPath path;
  FieldErrors errors;
  read_members(json.object(), path, errors, Member{"text", text}, Member{"flag", flag},
               Member{"list", list}, Member{"none", none}, Member{"absent", absent});
  EXPECT_EQ(text, "a");
  EXPECT_EQ(flag, true);
  ASSERT_TRUE(list);
  EXPECT_EQ(list->size(), 1U);
  EXPECT_FALSE(none);
  EXPECT_FALSE(absent);
  EXPECT_TRUE(errors.empty()) << errors.message();
}

TEST(Json, ReportsWrongTypesAndDuplicateKeysWithTheirPath) {
  const test::ParsedJson json(R"({"os":"windows","hostPID":true,"hostPID":false})");
  std::optional<JsonObject> os;
  std::optional<bool> host_pid;
  FieldPath path{"spec"};
  FieldErrors errors;
  read_members(json.object(), path, errors, Member{"os", os}, Member{"hostPID", host_pid});
  EXPECT_FALSE(os);
  EXPECT_TRUE(errors.has_duplicates());
  EXPECT_EQ(errors.message(),
            "spec.os must be an object, not a string; spec.hostPID is a duplicate key");
}

TEST(Json, ReportsEntriesOfMapsByTheirKeyInBracketsAndWithAPointer) {
  const test::ParsedJson json(R"({"a.b/c":1})");
  std::optional<std::string_view> entry;
  FieldPath path{"metadata", "annotations"};
  FieldErrors errors;
  read_entries(json.object(), path, errors, Member{"a.b/c", entry});
  EXPECT_FALSE(entry);
  ASSERT_EQ(errors.kept().size(), 1U);
  EXPECT_EQ(errors.kept().front(), (FieldError{.path = "metadata.annotations[a.b/c]",
                                               .pointer = "/metadata/annotations/a.b~1c",
                                               .what = "must be a string, not a number"}));
}

TEST(Json, VisitsTheObjectsOfAListAndReportsOtherEntries) {
  const test::ParsedJson json(R"([{"name":"a"},1,null,{"name":"b"}])");
  FieldPath path{"spec", "containers"};
  FieldErrors errors;
  std::string names;
  for_each_object(json.array(), path, errors,
                  [&](JsonObject entry) { names += string_member(entry, "name"); });
  EXPECT_EQ(names, "ab");
  EXPECT_EQ(errors.message(), "spec.containers[1] must be an object, not a number");
}

TEST(Json, ReportsAnErrorOnceAndThatMoreAreBeyondTheLimit) {
  const test::ParsedJson json("1");
  FieldErrors errors;
  const FieldPath same{"spec"};
  errors.add_missing(same);
  errors.add_missing(same);
  EXPECT_EQ(errors.kept().size(), 1U);
  EXPECT_FALSE(errors.has_duplicates());
  const auto add_in_list = [&](std::size_t index) {
    FieldPath path{"list"};
    path.enter(index, json.value());
    errors.add_missing(path);
  };
  for (std::size_t i = 0; i < FieldErrors::kMaxKept - 1; ++i) add_in_list(i);
  errors.add_missing(same);
  EXPECT_FALSE(errors.has_more());
  for (std::size_t i = 0; i < 1200; ++i) add_in_list(i);
  EXPECT_EQ(errors.kept().size(), FieldErrors::kMaxKept);
  EXPECT_TRUE(errors.has_more());
  EXPECT_TRUE(errors.message().ends_with("; list[18] is missing; and more")) << errors.message();
}

TEST(Json, LooksUpAMemberWithoutErrors) {
  const test::ParsedJson json(R"({"text":"a","none":null,"number":1})");
  EXPECT_EQ(string_member(json.object(), "text"), "a");
  for (const char* const key : {"none", "number", "absent"}) {
    EXPECT_EQ(string_member(json.object(), key), "") << key;
    EXPECT_FALSE(member<bool>(json.object(), key)) << key;
  }
}

TEST(Json, NamesEveryType) {
  const test::ParsedJson json(R"([[],{},"",true,null,1,18446744073709551615,1.5])");
  std::string names;
  for (const JsonValue value : json.array()) names.append(type_name(value)).append("; ");
  EXPECT_EQ(names, "a list; an object; a string; a boolean; null; a number; a number; a number; ");
}

}  // namespace
}  // namespace winadmit
