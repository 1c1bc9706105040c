#include "cli/judge/emptied_parents.hpp"

#include <gtest/gtest.h>

namespace winadmit::cli {
namespace {

using nlohmann::json;

/// The paths of the operations.
std::vector<std::string> paths_of(const Patch& patch) {
  std::vector<std::string> paths;
  for (const PatchOperation& each : patch) paths.push_back(each.path);
  return paths;
}

using Paths = std::vector<std::string>;

Patch removing(const Paths& paths) {
  Patch patch;
  for (const std::string& path : paths) patch.push_back({"remove", path, {}, "rule"});
  return patch;
}

TEST(EmptiedParents, GoWithTheirMembers) {
  const json pod = json::parse(R"({"spec": {"a": {"securityContext": {
      "capabilities": {"add": [1], "drop": [2]}, "privileged": true}}, "hostPID": true}})");
  const std::string at = "/spec/a/securityContext";
  const Patch all = removing(
      {at + "/capabilities/add", at + "/privileged", "/spec/hostPID", at + "/capabilities/drop"});
  EXPECT_EQ(paths_of(remove_emptied_parents(all, pod)), (Paths{at, "/spec/hostPID"}));

  const Patch some = removing({at + "/capabilities/add", at + "/capabilities/drop"});
  EXPECT_EQ(paths_of(remove_emptied_parents(some, pod)), (Paths{at + "/capabilities"}));

  const Patch one = removing({at + "/capabilities/add"});
  EXPECT_EQ(paths_of(remove_emptied_parents(one, pod)), paths_of(one));
}

TEST(EmptiedParents, AreThoseThatAreAskedFor) {
  const json pod = json::parse(R"({"spec": {"securityContext": {"capabilities": {"add": [1]}}}})");
  const Patch patch = removing({"/spec/securityContext/capabilities/add"});
  const std::string context = "/spec/securityContext";
  EXPECT_EQ(paths_of(remove_emptied_parents(patch, pod, RemoveEmptyParents::all)), Paths{context});
  EXPECT_EQ(paths_of(remove_emptied_parents(patch, pod, RemoveEmptyParents::capabilities)),
            Paths{context + "/capabilities"});
  EXPECT_EQ(paths_of(remove_emptied_parents(patch, pod, RemoveEmptyParents::none)),
            paths_of(patch));
}

TEST(EmptiedParents, StayIfTheyMeanSomethingEmpty) {
  const json pod = json::parse(R"({"spec": {"volume": {"emptyDir": {"medium": "Memory"}}}})");
  const Patch patch = removing({"/spec/volume/emptyDir/medium"});
  EXPECT_EQ(paths_of(remove_emptied_parents(patch, pod)), paths_of(patch));
}

TEST(EmptiedParents, LeaveWhatIsAdded) {
  const json pod = json::parse(R"({"spec": {"securityContext": {"fsGroup": 1}}})");
  Patch patch = removing({"/spec/securityContext/fsGroup"});
  patch.push_back({"add", "/spec/os", R"({"name":"windows"})"});
  EXPECT_EQ(paths_of(remove_emptied_parents(patch, pod)),
            (Paths{"/spec/securityContext", "/spec/os"}));
}

}  // namespace
}  // namespace winadmit::cli
