#include "cli/unreachable_nodes.hpp"

#include <gtest/gtest.h>

namespace winadmit::cli {
namespace {

using cluster::NodeTaint;
using cluster::PodToleration;
using cluster::WindowsNode;

const NodeTaint kOs = {"os", "windows", "NoSchedule"};
const NodeTaint kOther = {"os", "CustomTaint", "NoSchedule"};
const PlacedTolerations kPlaced = {{"", {{"os", "Equal", "windows", "NoSchedule"}}}};

/// The nodes have no build.
std::string described(std::vector<WindowsNode> nodes, const PlacedTolerations& placed = kPlaced,
                      const std::vector<std::string>& ignored = {}) {
  return describe_unreachable(nodes, placed, ignored);
}

TEST(UnreachableNodes, AreNamedWithTheTaintsThatNoPodTolerates) {
  EXPECT_EQ(described({{"win-1", "", {kOther}},
                       {"win-2", "", {kOs, kOther}},
                       {"win-3", "", {{"gpu", "", "NoExecute"}, kOther}},
                       {"win-4", "", {kOs}},
                       {"win-5", "", {}}}),
            "3 of 5 Windows nodes have taints that no placed pod tolerates: win-3 "
            "(gpu:NoExecute, os=CustomTaint:NoSchedule), win-1, win-2 (os=CustomTaint:NoSchedule); "
            "set the platform or tolerations of the configuration");
  EXPECT_EQ(described({{"win-1", "", {kOs}}}), "");
  EXPECT_EQ(described({{"win-1", "", {kOther}}}).find("1 of 1 Windows nodes has taints"), 0U);
}

TEST(UnreachableNodes, AreReachedByThePodsThatNameTheirBuildAndByThoseThatNameNone) {
  const PlacedTolerations placed = {{"", {{"os", "Equal", "Win1809", ""}}},
                                    {"10.0.17763", {{"os", "Equal", "Win1809", ""}}},
                                    {"10.0.20348", {{"os", "Equal", "Win2022", ""}}}};
  const NodeTaint win1809 = {"os", "Win1809", "NoSchedule"};
  const NodeTaint win2022 = {"os", "Win2022", "NoSchedule"};
  EXPECT_EQ(described({{"a", "10.0.17763", {win1809}}, {"b", "10.0.20348", {win2022}}}, placed),
            "");
  EXPECT_EQ(described({{"b", "10.0.20348", {win1809}}}, placed), "");
  EXPECT_EQ(described({{"a", "10.0.17763", {win2022}}}, placed).find("1 of 1"), 0U);
  EXPECT_EQ(described({{"c", "10.0.26100", {win2022}}}, placed), "") << "no pod for the build";
}

TEST(UnreachableNodes, AreNoneForTaintsThatOnlyPrefer) {
  EXPECT_EQ(described({{"a", "", {{"os", "x", "PreferNoSchedule"}}}}), "");
}

TEST(UnreachableNodes, AreNoneForTemporaryTaints) {
  for (const char* key :
       {"node.kubernetes.io/not-ready", "node.kubernetes.io/unschedulable",
        "node.kubernetes.io/out-of-service", "node.cloudprovider.kubernetes.io/uninitialized",
        "ToBeDeletedByClusterAutoscaler", "DeletionCandidateOfClusterAutoscaler",
        "karpenter.sh/disrupted", "karpenter.sh/unregistered"}) {
    EXPECT_EQ(described({{"a", "", {kOs, {key, "", "NoSchedule"}}}}), "") << key;
  }
  EXPECT_NE(described({{"a", "", {{"node.kubernetes.io/os", "windows", "NoSchedule"}}}}), "");
}

TEST(UnreachableNodes, AreNoneForTaintsThatAreIgnored) {
  const std::vector<WindowsNode> nodes = {{"a", "", {kOs, {"dedicated", "db", "NoSchedule"}}}};
  EXPECT_NE(described(nodes), "");
  EXPECT_EQ(described(nodes, kPlaced, {"dedicated"}), "");
}

TEST(UnreachableNodes, AreCountedIfThereAreMany) {
  std::vector<WindowsNode> nodes;
  for (int i = 0; i < 12; ++i)
    nodes.push_back({"win-" + std::to_string(i), "", {i == 0 ? NodeTaint{"a", "", "x"} : kOther}});
  const std::string line = described(nodes);
  EXPECT_EQ(line.find("12 of 12 "), 0U);
  EXPECT_NE(line.find("win-9 (os=CustomTaint:NoSchedule) and 2 more; set"), std::string::npos)
      << line;
}

}  // namespace
}  // namespace winadmit::cli
