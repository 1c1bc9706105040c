// The parser of mixed kernels says what simdjson's own says.
#include "server/json_parser.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/test_data.hpp"

namespace winadmit::server {
namespace {

/// The document as text, or what is wrong with it.
std::string said_by(simdjson::dom::parser& parser, const simdjson::padded_string& text) {
  simdjson::dom::element document;
  const auto error = parser.parse(text).get(document);
  return error == simdjson::SUCCESS ? simdjson::minify(document) : simdjson::error_message(error);
}

class JsonParser : public ::testing::Test {
 protected:
  void expect_the_same(const simdjson::padded_string& text, const std::string& name) {
    EXPECT_EQ(said_by(ours_, text), said_by(theirs_, text)) << name;
  }
  void expect_the_same(const std::string& text) {
    expect_the_same(simdjson::padded_string(text), text.substr(0, 60));
  }

  simdjson::dom::parser ours_ = make_parser();
  simdjson::dom::parser theirs_;
};

TEST_F(JsonParser, ReadsEveryCapturedReviewAsSimdjsonDoes) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(test::data("reviews"))) {
    if (entry.path().extension() != ".json") continue;
    simdjson::padded_string text;
    ASSERT_EQ(simdjson::padded_string::load(entry.path().string()).get(text), simdjson::SUCCESS);
    expect_the_same(text, entry.path());
    ++files;
  }
  EXPECT_GT(files, 0U);
}

TEST_F(JsonParser, RefusesWhatSimdjsonRefuses) {
  for (const std::string text : {"",
                                 " ",
                                 "{",
                                 "}",
                                 "[1,]",
                                 R"({"a":})",
                                 R"({"a" 1})",
                                 R"({"a":tru})",
                                 R"(["a)",
                                 R"(["\x"])",
                                 R"(["\ud800"])",
                                 "[\"\x01\"]",
                                 "[\"\xff\"]",
                                 "[1e999]",
                                 "[01]",
                                 "[-]",
                                 "1 2",
                                 "nul",
                                 "[]]",
                                 "\"a\" ",
                                 "123",
                                 "[18446744073709551616]"}) {
    expect_the_same(text);
  }
}

TEST_F(JsonParser, ReadsStringsOfEveryLength) {
  for (std::size_t size = 0; size < 200; ++size) {
    const std::string run(size, 'x');
    expect_the_same("[\"" + run + R"(","\n)" + run + R"(\"","é)" + run + "\"]");
  }
}

TEST_F(JsonParser, GoesAsDeepAsSimdjsonDoes) {
  for (const std::size_t depth : {1000U, 1023U, 1024U, 1025U, 5000U}) {
    expect_the_same(std::string(depth, '[') + std::string(depth, ']'));
  }
}

TEST_F(JsonParser, GrowsAndMovesWithItsDocuments) {
  const std::string large = "[\"" + std::string(1 << 20, 'x') + "\"]";
  expect_the_same("[1]");
  expect_the_same(large);
  simdjson::dom::parser moved = std::move(ours_);
  ours_ = std::move(moved);
  expect_the_same("[2]");
  expect_the_same(large + large);
  expect_the_same(large);
}

}  // namespace
}  // namespace winadmit::server
