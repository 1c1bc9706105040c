#include "cluster/windows_nodes.hpp"

#include <gtest/gtest.h>

#include "certs/issue.hpp"
#include "tests/cluster/fake_api.hpp"
#include "tests/error_of.hpp"
#include "tests/temporary_folder.hpp"

namespace winadmit::cluster {
namespace {

using nlohmann::json;
using test::FakeApi;
using namespace std::chrono_literals;

json node(const std::string& name, const json& taints = nullptr,
          const json& labels = json::object()) {
  return {{"metadata", {{"name", name}, {"labels", labels}}}, {"spec", {{"taints", taints}}}};
}

json page(json items, const std::string& token = "") {
  return {{"metadata", {{"continue", token}}}, {"items", std::move(items)}};
}

class WindowsNodes : public testing::Test {
 protected:
  WindowsNodes() {
    folder_.write("token", "t");
    folder_.write("ca.crt", ca_.certificate);
  }

  Client client() const {
    return Client({.host = "127.0.0.1",
                   .port = api_.port(),
                   .token_file = folder_ / "token",
                   .ca_file = folder_ / "ca.crt"},
                  5s);
  }

  /// The next answer, in order; the last one for ever.
  FakeApi::Response answer() {
    const FakeApi::Response next = answers_.front();
    if (answers_.size() > 1) answers_.erase(answers_.begin());
    return next;
  }

  const certs::Pem ca_ = certs::issue_ca(1h);
  const certs::Pair pair_ = certs::parse_pair(
      certs::issue_serving(certs::parse_pair(ca_), {.dns = {}, .ips = {"127.0.0.1"}}, 1h));
  const test::TemporaryFolder folder_;
  std::vector<FakeApi::Response> answers_;
  FakeApi api_{pair_, [this](const FakeApi::Request&) { return answer(); }};
};

TEST_F(WindowsNodes, AreReadWithTheirBuildsAndTaints) {
  answers_ = {{.body = page(json::array(
                   {node("a",
                         json::array({{{"key", "os"}, {"value", "w"}, {"effect", "NoSchedule"}},
                                      {{"key", "k"}, {"effect", "NoExecute"}}}),
                         {{"node.kubernetes.io/windows-build", "10.0.20348"}}),
                    node("b")}))}};
  const auto nodes = read_windows_nodes(client());
  ASSERT_TRUE(nodes);
  ASSERT_EQ(nodes->size(), 2U);
  EXPECT_EQ(nodes->at(0).name, "a");
  EXPECT_EQ(nodes->at(0).build, "10.0.20348");
  ASSERT_EQ(nodes->at(0).taints.size(), 2U);
  EXPECT_EQ(nodes->at(0).taints[0].value, "w");
  EXPECT_EQ(nodes->at(0).taints[1].effect, "NoExecute");
  EXPECT_EQ(nodes->at(1).build, "");
  EXPECT_TRUE(nodes->at(1).taints.empty());
  EXPECT_EQ(api_.requests().front().path,
            "/api/v1/nodes?labelSelector=kubernetes.io%2Fos%3Dwindows&limit=100");
}

TEST_F(WindowsNodes, AreReadInPages) {
  answers_ = {{.body = page(json::array({node("a")}), "x/+=")},
              {.body = page(json::array({node("b")}))}};
  EXPECT_EQ(read_windows_nodes(client())->size(), 2U);
  EXPECT_TRUE(api_.requests().at(1).path.ends_with("&continue=x%2F%2B%3D"));
}

TEST_F(WindowsNodes, AreReadAgainWhenTheListHasExpired) {
  answers_ = {{.body = page(json::array({node("a")}), "t")},
              {.status = 410},
              {.body = page(json::array({node("b")}))}};
  const auto nodes = read_windows_nodes(client());
  ASSERT_EQ(nodes->size(), 1U);
  EXPECT_EQ(nodes->at(0).name, "b");
  EXPECT_EQ(api_.requests().at(2).path, api_.requests().at(0).path);
}

TEST_F(WindowsNodes, MayBeForbidden) {
  answers_ = {{.status = 403}};
  EXPECT_FALSE(read_windows_nodes(client()));
}

TEST_F(WindowsNodes, AreAnErrorWithAnotherAnswer) {
  answers_ = {{.status = 500, .body = {{"message", "broken"}}}};
  EXPECT_NE(test::error_of([&] { read_windows_nodes(client()); }).find("500: broken"),
            std::string::npos);
  answers_ = {{.status = 410}};
  EXPECT_NE(test::error_of([&] { read_windows_nodes(client()); }).find("410"), std::string::npos);
  answers_ = {{.body = {{"items", json::array({"a"})}}}};
  EXPECT_NE(test::error_of([&] { read_windows_nodes(client()); }).find("unexpected answer"),
            std::string::npos);
}

TEST_F(WindowsNodes, APodIsPlacedForABuild) {
  const json tolerations = json::array({{{"key", "os"}, {"operator", "Exists"}}});
  answers_ = {{.status = 201, .body = {{"spec", {{"tolerations", tolerations}}}}}};
  const auto placed = read_placed_tolerations(client(), "ns", "10.0.20348");
  ASSERT_EQ(placed.size(), 1U);
  EXPECT_EQ(placed[0].key, "os");
  EXPECT_EQ(placed[0].op, "Exists");
  EXPECT_EQ(placed[0].effect, "");
  const FakeApi::Request request = api_.requests().front();
  EXPECT_EQ(request.path, "/api/v1/namespaces/ns/pods?dryRun=All");
  const json selector = {{"kubernetes.io/os", "windows"},
                         {"node.kubernetes.io/windows-build", "10.0.20348"}};
  EXPECT_EQ(request.body["spec"]["nodeSelector"], selector);
  read_placed_tolerations(client(), "ns", "");
  EXPECT_FALSE(api_.requests().back().body["spec"].contains("nodeSelector"));
}

TEST_F(WindowsNodes, APodThatIsRefusedIsAnError) {
  answers_ = {{.status = 403, .body = {{"message", "quota"}}}};
  EXPECT_NE(test::error_of([&] { read_placed_tolerations(client(), "ns", ""); }).find("quota"),
            std::string::npos);
}

}  // namespace
}  // namespace winadmit::cluster
