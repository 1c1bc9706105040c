#include "cluster/verify.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "certs/issue.hpp"
#include "tests/cluster/fake_api.hpp"
#include "tests/temporary_folder.hpp"

namespace winadmit::cluster {
namespace {

using nlohmann::json;
using test::FakeApi;
using namespace std::chrono_literals;

const char* const kRefusal =
    "admission webhook \"validate.winadmit.dev\" denied the request: ... (mount-propagation)";

class VerifyTest : public testing::Test {
 protected:
  VerifyTest() {
    folder_.write("token", "t");
    folder_.write("ca.crt", ca_.certificate);
  }

  std::string verify(Verdict verdict = Verdict::refused, std::chrono::seconds wait = 0s) {
    const Client client({.host = "127.0.0.1",
                         .port = api_.port(),
                         .token_file = folder_ / "token",
                         .ca_file = folder_ / "ca.crt"},
                        5s);
    return cluster::verify(client,
                           {.name_space = "ns",
                            .verdict = verdict,
                            .wait = wait,
                            .clock = [this] { return start_ + std::chrono::seconds(slept_); },
                            .sleep = [this](auto) { ++slept_; },
                            .report = [this](auto line) { reported_.push_back(line); }});
  }

  /// The pod with mountPropagation gets `unsupported_`, the other one `supported_`, placed if
  /// `places_`.
  FakeApi::Response answer(const FakeApi::Request& request) {
    const json& container = request.body["spec"]["containers"][0];
    FakeApi::Response response = container.contains("volumeMounts") ? unsupported_ : supported_;
    if (response.status != 201) return response;
    response.body = request.body;
    if (places_ && slept_ >= places_after_)
      response.body["spec"]["nodeSelector"]["kubernetes.io/os"] = "windows";
    return response;
  }

  const certs::Pem ca_ = certs::issue_ca(1h);
  const certs::Pair pair_ = certs::parse_pair(
      certs::issue_serving(certs::parse_pair(ca_), {.dns = {}, .ips = {"127.0.0.1"}}, 1h));
  const test::TemporaryFolder folder_;
  FakeApi::Response supported_{.status = 201};
  FakeApi::Response unsupported_{.status = 403, .body = {{"message", kRefusal}}};
  bool places_ = true;
  int places_after_ = 0;
  const Deadline start_ = std::chrono::steady_clock::now();
  std::atomic<int> slept_ = 0;  // seconds
  std::vector<std::string> reported_;
  FakeApi api_{pair_, [this](const FakeApi::Request& request) { return answer(request); }};
};

TEST_F(VerifyTest, SucceedsWhenAPodIsPlacedAndTheOtherRefusedThreeTimes) {
  EXPECT_EQ(verify(), "");
  ASSERT_EQ(api_.requests().size(), 6U);
  for (const FakeApi::Request& request : api_.requests()) {
    EXPECT_EQ(request.method, "POST");
    EXPECT_EQ(request.path, "/api/v1/namespaces/ns/pods?dryRun=All");
    EXPECT_EQ(request.body["spec"]["os"]["name"], "windows");
  }
  EXPECT_FALSE(api_.requests().front().body["spec"].contains("nodeSelector"));
}

TEST_F(VerifyTest, ReportsAPodThatIsNotPlaced) {
  places_ = false;
  EXPECT_EQ(verify().find("a Windows pod is not placed"), 0U);
}

TEST_F(VerifyTest, ReportsAnUnsupportedPodThatIsAdmitted) {
  unsupported_ = {.status = 201};
  EXPECT_EQ(verify().find("an unsupported Windows pod is admitted"), 0U);
}

TEST_F(VerifyTest, ReportsACallOfTheWebhookThatFails) {
  supported_ = unsupported_ = {.status = 500, .body = {{"message", "failed calling webhook"}}};
  EXPECT_EQ(verify(), "a Windows pod is refused: 500: failed calling webhook");
}

TEST_F(VerifyTest, ReportsWhateverElseRefusesThePod) {
  unsupported_.body["message"] = "exceeded quota";
  EXPECT_EQ(verify(),
            "an unsupported Windows pod is refused, but not by winadmit: 403: exceeded quota");
}

TEST_F(VerifyTest, ExpectsTheVerdictOfTheMode) {
  EXPECT_EQ(verify(Verdict::warned), "an unsupported Windows pod is refused, not only warned of");
  unsupported_ = {.status = 201,
                  .warnings = {"299 - \"unrelated\"", "299 - \"... (mount-propagation)\""}};
  EXPECT_EQ(verify(Verdict::warned), "");
  EXPECT_EQ(verify(Verdict::refused), "an unsupported Windows pod is only warned of");
}

TEST_F(VerifyTest, WaitsUntilItSucceedsAndReportsEachReasonOnce) {
  places_after_ = 4;
  EXPECT_EQ(verify(Verdict::refused, 10s), "");
  EXPECT_EQ(slept_, 4);
  ASSERT_EQ(reported_.size(), 2U);
  EXPECT_EQ(reported_[0].find("waiting: a Windows pod is not placed"), 0U);
  EXPECT_EQ(reported_[1], "a Windows pod is placed, and an unsupported one is refused");
}

TEST_F(VerifyTest, EndsWithTheReasonWhenTheTimeIsOver) {
  places_ = false;
  EXPECT_NE(verify(Verdict::refused, 3s), "");
  EXPECT_EQ(slept_, 2);
}

TEST_F(VerifyTest, WaitsForAnApiServerThatDoesNotAnswer) {
  const Client client({.host = "127.0.0.1",
                       .port = "1",
                       .token_file = folder_ / "token",
                       .ca_file = folder_ / "ca.crt"},
                      5s);
  std::chrono::seconds slept = 0s;
  const std::string reason =
      cluster::verify(client, {.wait = 3s,
                               .clock = [&] { return start_ + slept; },
                               .sleep = [&](std::chrono::seconds time) { slept += time; },
                               .report = [](auto) {}});
  EXPECT_NE(reason.find("https://127.0.0.1:1"), std::string::npos) << reason;
  EXPECT_EQ(slept, 2s);
}

TEST_F(VerifyTest, CountsTheTimeOfItsCalls) {
  // A port that accepts connections and never answers.
  boost::asio::io_context loop;
  boost::asio::ip::tcp::acceptor silent(loop, {boost::asio::ip::address_v4::loopback(), 0});
  const Client client({.host = "127.0.0.1",
                       .port = std::to_string(silent.local_endpoint().port()),
                       .token_file = folder_ / "token",
                       .ca_file = folder_ / "ca.crt"},
                      60s);
  EXPECT_NE(cluster::verify(client, {.wait = 1s,
                                     .sleep = [](auto) { FAIL() << "there is no time left"; },
                                     .report = [](auto) {}}),
            "");
  EXPECT_LT(std::chrono::steady_clock::now() - start_, 30s);
}

}  // namespace
}  // namespace winadmit::cluster
