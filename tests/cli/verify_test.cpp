// `winadmit verify` against an API server of a few lines.
#include <gtest/gtest.h>

#include "certs/issue.hpp"
#include "tests/cli/binary.hpp"
#include "tests/cluster/fake_api.hpp"

namespace winadmit {
namespace {

using nlohmann::json;
using test::FakeApi;
using namespace std::chrono_literals;

class Verify : public test::Binary {
 protected:
  test::Result verify(const std::string& flags = "") {
    const std::string ca = write("ca.crt", ca_.certificate), token = write("token", "t");
    return run("verify --server https://127.0.0.1:" + api_.port() + " --ca-file " + ca +
               " --token-file " + token + ' ' + flags);
  }

  /// Places and refuses pods as the server does on the platform eks.
  FakeApi::Response answer(const FakeApi::Request& request) const {
    if (request.method == "GET") return nodes_;
    if (request.body["spec"]["containers"][0].contains("volumeMounts"))
      return {.status = 403, .body = {{"message", "denied (mount-propagation)"}}};
    json pod = request.body;
    pod["spec"]["nodeSelector"]["kubernetes.io/os"] = "windows";
    pod["spec"]["tolerations"] =
        json::array({{{"key", "os"}, {"value", "windows"}, {"effect", "NoSchedule"}}});
    return {.status = 201, .body = std::move(pod)};
  }

  static json node(const std::string& name, const std::string& taint) {
    const json taints = json::array({{{"key", "os"}, {"value", taint}, {"effect", "NoSchedule"}}});
    return {{"metadata",
             {{"name", name}, {"labels", {{"node.kubernetes.io/windows-build", "10.0.20348"}}}}},
            {"spec", {{"taints", taints}}}};
  }

  void set_nodes(json items) { nodes_ = {.body = {{"items", std::move(items)}}}; }

  const certs::Pem ca_ = certs::issue_ca(1h);
  const certs::Pair pair_ = certs::parse_pair(
      certs::issue_serving(certs::parse_pair(ca_), {.dns = {}, .ips = {"127.0.0.1"}}, 1h));
  FakeApi::Response nodes_;
  FakeApi api_{pair_, [this](const FakeApi::Request& request) { return answer(request); }};
};

TEST_F(Verify, FailsIfNoPlacedPodToleratesTheTaintsOfANode) {
  set_nodes(json::array({node("win-1", "CustomTaint"), node("win-2", "windows")}));
  const auto result = verify();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.err,
            "winadmit: 1 of 2 Windows nodes has taints that no placed pod tolerates: win-1 "
            "(os=CustomTaint:NoSchedule); set the platform or tolerations of the configuration\n");
  EXPECT_EQ(verify("--ignore-taint os").exit_code, 0);
}

TEST_F(Verify, SucceedsIfPlacedPodsTolerateTheTaintsOfEachNode) {
  set_nodes(json::array({node("win-1", "windows"), node("win-2", "windows")}));
  const auto result = verify();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("the taints of 2 of 2 Windows nodes\n"), std::string::npos);
}

TEST_F(Verify, SaysThatItComparesNothing) {
  set_nodes(json::array());
  EXPECT_EQ(verify().exit_code, 0);
  EXPECT_NE(verify().out.find("there is no Windows node"), std::string::npos);
  nodes_ = {.status = 403};
  EXPECT_EQ(verify().exit_code, 0);
  EXPECT_NE(verify().out.find("may not list nodes"), std::string::npos);
}

TEST_F(Verify, FailsIfTheNodesCannotBeRead) {
  nodes_ = {.status = 500, .body = {{"message", "broken"}}};
  const auto result = verify();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("500: broken"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace winadmit
