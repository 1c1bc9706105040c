// `winadmit review`.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/binary.hpp"
#include "tests/test_data.hpp"

namespace winadmit {
namespace {

using test::kSamples;
using test::Result;

class ReviewCommand : public test::Binary {};

TEST_F(ReviewCommand, ExitsWithTheDecision) {
  const std::string good = kSamples + "windows-pod.json";
  const std::string bad = kSamples + "unsupported-windows-pod.json";
  EXPECT_EQ(run("review " + good).exit_code, 0);
  const Result refused = run("review " + bad);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_EQ(nlohmann::json::parse(refused.out)["response"]["allowed"], false);
  EXPECT_EQ(run("review --path /validate/warn " + bad).exit_code, 0);
  const Result placed = run("review --path /mutate " + good);
  EXPECT_EQ(placed.exit_code, 0);
  EXPECT_TRUE(nlohmann::json::parse(placed.out)["response"].contains("patch"));
  EXPECT_EQ(run("review -").exit_code, 2) << "standard input is empty";
  EXPECT_EQ(run("review -", "", good).exit_code, 0);
}

TEST_F(ReviewCommand, RefusesInputThatCannotBeRead) {
  for (const std::string& arguments :
       {std::string("review /nonexistent.json"),
        std::string("review --path /elsewhere ") + kSamples + "windows-pod.json",
        "review " + write("broken.json", "{"), std::string("review /"),
        std::string("review --nonsense")}) {
    SCOPED_TRACE(arguments);
    const Result result = run(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err, "");
  }
}

TEST_F(ReviewCommand, RefusesAFileWithoutAnEnd) {
  EXPECT_EQ(run("review /dev/zero").err, "winadmit: /dev/zero is larger than 7340032 bytes\n");
  EXPECT_EQ(run("review --config /dev/zero " + kSamples + "windows-pod.json").err,
            "winadmit: /dev/zero is larger than 67108864 bytes\n");
}

}  // namespace
}  // namespace winadmit
