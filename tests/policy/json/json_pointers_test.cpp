#include "policy/json/json_pointers.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/policy/parsed.hpp"

namespace winadmit {
namespace {

TEST(JsonPointers, AreFoundWhereTheObjectHasAValue) {
  simdjson::dom::parser parser;
  const JsonObject object =
      parser.parse(std::string_view(R"({"a":{"b":[{"c":1},{"d":null}],"x/y~z":{"":2}},"0":[]})"));
  const std::vector<std::string_view> pointers = {
      "",          "/a",       "/a/b",    "/a/b/0/c", "/a/b/1/d", "/a/x~1y~0z/",
      "/0",        "/a/b/1/c", "/a/b/2",  "/a/b/-",   "/a/b/00",  "/a/b/0/c/d",
      "/a/x/y~0z", "/b",       "/a/b/0/c"};
  const std::vector<bool> found = has_values(object, pointers);
  for (std::size_t i = 0; i < pointers.size(); ++i) {
    const bool is_there = object.at_pointer(pointers[i]).error() == simdjson::SUCCESS;
    EXPECT_EQ(found[i], is_there) << pointers[i];
  }
}

}  // namespace
}  // namespace winadmit
