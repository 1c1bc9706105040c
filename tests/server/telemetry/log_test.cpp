// The log line of a request: it identifies the request and has nothing of the object.
#include "server/telemetry/log.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <ctime>
#include <sstream>
#include <thread>

#include "server/telemetry/exemption_ends.hpp"
#include "tests/server/handler/reviewer.hpp"

namespace winadmit::test {
namespace {

/// The lines that `act` logs.
template <class Act>
std::vector<std::string> logged(server::LogFormat format, Act act) {
  testing::internal::CaptureStdout();
  server::set_up_logging(spdlog::level::info, format);
  act();
  server::flush_log();
  std::istringstream text(testing::internal::GetCapturedStdout());
  server::set_up_logging(spdlog::level::off, format);
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

Json review_with_a_secret() {
  Json object = windows_pod({{"hostPID", true}});
  object["metadata"].erase("name");
  object["metadata"]["generateName"] = "web-";
  object["spec"]["containers"][0]["env"] =
      Json::array({{{"name", "PASSWORD"}, {"value", "hunter2"}}});
  return create(object);
}

TEST(Log, HasOneJsonLinePerRequestWithoutTheObject) {
  Reviewer reviewer;
  const auto lines =
      logged(server::LogFormat::json, [&] { reviewer.send("/validate", review_with_a_secret()); });
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].find("hunter2"), std::string::npos);
  const Json line = Json::parse(lines[0]);
  EXPECT_EQ(line["uid"], "test-uid");
  EXPECT_EQ(line["kind"], "Pod");
  EXPECT_EQ(line["namespace"], "default");
  EXPECT_EQ(line["name"], "web-");
  EXPECT_EQ(line["operation"], "CREATE");
  EXPECT_EQ(line["path"], "/validate");
  EXPECT_EQ(line["os"], "windows");
  EXPECT_EQ(line["signals"], "nodeSelector[kubernetes.io/os]");
  EXPECT_EQ(line["decision"], "denied");
  EXPECT_EQ(line["rules"], "host-pid");
  EXPECT_TRUE(line["us"].is_number());
  EXPECT_FALSE(line.contains("dry_run"));
}

TEST(Log, TellsDryRuns) {
  Reviewer reviewer;
  Json review = review_with_a_secret();
  const auto lines = logged(server::LogFormat::json, [&] {
    for (const bool is_dry_run : {true, false}) {
      review["request"]["dryRun"] = is_dry_run;
      reviewer.send("/validate", review);
    }
  });
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(Json::parse(lines[0])["dry_run"], "true");
  EXPECT_FALSE(Json::parse(lines[1]).contains("dry_run"));
}

TEST(Log, StaysJsonWhateverAClientSends) {
  Reviewer reviewer;
  Json review = review_with_a_secret();
  review["request"]["uid"] = "a\"b\\c\nd";
  review["request"]["namespace"] = "{\"level\":\"fake\"}";
  const auto lines = logged(server::LogFormat::json, [&] {
    reviewer.send("/mutate", review);
    reviewer.post("/mutate", "nonsense");
  });
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(Json::parse(lines[0])["uid"], "a\"b\\c\nd");
  EXPECT_EQ(Json::parse(lines[1])["decision"], "malformed");
}

TEST(Log, HasTheTimeInUtcInMilliseconds) {
  using std::chrono::milliseconds;
  const auto now = [] {
    return std::chrono::floor<milliseconds>(std::chrono::system_clock::now().time_since_epoch());
  };
  const milliseconds before = now();
  const auto lines = logged(server::LogFormat::json, [&] {
    Reviewer reviewer;
    reviewer.send("/validate", review_with_a_secret());
    std::this_thread::sleep_for(milliseconds(1100));  // into the next second
    reviewer.send("/validate", review_with_a_secret());
  });
  ASSERT_EQ(lines.size(), 2U);
  milliseconds last = before;
  for (const std::string& line : lines) {
    const std::string time = Json::parse(line)["time"];
    std::tm utc{};
    int thousandth = -1;
    char end = 0;
    ASSERT_EQ(time.size(), std::string_view("2026-01-02T03:04:05.678Z").size()) << time;
    const char* const fraction = strptime(time.c_str(), "%Y-%m-%dT%H:%M:%S", &utc);
    ASSERT_NE(fraction, nullptr) << time;
    ASSERT_EQ(std::sscanf(fraction, ".%3d%c", &thousandth, &end), 2) << time;
    EXPECT_EQ(end, 'Z');
    const milliseconds logged_at = std::chrono::seconds(timegm(&utc)) + milliseconds(thousandth);
    EXPECT_GE(logged_at, last);
    last = logged_at;
  }
  EXPECT_GE(last - before, milliseconds(1100));
  EXPECT_LE(last, now());
}

TEST(Log, HasOneTextLinePerRequest) {
  Reviewer reviewer;
  Json review = review_with_a_secret();
  review["request"]["uid"] = "a\nb";
  const auto lines = logged(server::LogFormat::text, [&] { reviewer.send("/validate", review); });
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].find("decision=denied"), std::string::npos);
  EXPECT_NE(lines[0].find("Z info    review "), std::string::npos) << lines[0];
}

TEST(Log, TellsOnceThatAnExemptionHasEnded) {
  using namespace std::chrono;
  const sys_days last = 2027y / January / 31;
  server::ExemptionEnds ends({{"team-a", "host-pid", "moves in Q1", last},
                              {"team-b", "", "has no end", std::nullopt},
                              {"team-c", "", "ends later", last + days(1)}});
  const auto lines = logged(server::LogFormat::json, [&] {
    ends.log(last);
    ends.log(last + days(1));
    ends.log(last + days(1));
  });
  EXPECT_TRUE(ends.are_pending());
  ASSERT_EQ(lines.size(), 1U);
  const Json line = Json::parse(lines[0]);
  EXPECT_EQ(line["level"], "warning");
  EXPECT_EQ(line["namespace"], "team-a");
  EXPECT_EQ(line["rule"], "host-pid");
  EXPECT_EQ(line["reason"], "moves in Q1");
  EXPECT_EQ(line["until"], "2027-01-31");
  EXPECT_EQ(logged(server::LogFormat::json, [&] { ends.log(last + days(2)); }).size(), 1U);
  EXPECT_FALSE(ends.are_pending());
}

TEST(Log, ShortensAValueOfMoreThan512Bytes) {
  const auto lines = logged(server::LogFormat::json, [] {
    server::LogLine(spdlog::level::info, "values")
        .with("long", std::string(512, 'a'))
        .with("longer", std::string(513, 'b'));
  });
  ASSERT_EQ(lines.size(), 1U);
  const Json line = Json::parse(lines[0]);
  EXPECT_EQ(line["long"], std::string(512, 'a'));
  EXPECT_EQ(line["longer"], std::string(509, 'b') + "...");
}

TEST(Log, QuotesATextOfSeveralWordsAndLeavesOutAnEmptyOne) {
  const auto lines = logged(server::LogFormat::text, [] {
    server::LogLine(spdlog::level::info, "values")
        .with("words", "two words")
        .with("empty", "")
        .with("word", "one");
  });
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_TRUE(lines[0].ends_with(R"( values words="two words" word=one)")) << lines[0];
}

}  // namespace
}  // namespace winadmit::test
