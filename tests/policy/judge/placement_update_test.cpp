// What placement adds on UPDATE of a pod.
#include <gtest/gtest.h>

#include <string>

#include "policy/judge/placement.hpp"
#include "policy/policy.hpp"
#include "tests/policy/judge/patch_text.hpp"
#include "tests/policy/parsed.hpp"

namespace winadmit {
namespace {

const std::string kWindowsSelector = R"("nodeSelector":{"kubernetes.io/os":"windows"})";
const std::string kOwnToleration = R"({"key":"dedicated","operator":"Exists"})";
const std::string kWin1809 =
    R"({"key":"os","operator":"Equal","value":"Win1809","effect":"NoSchedule"})";

/// The operations, one in a line.
std::string updated(const std::string& spec, const std::string& old_spec,
                    const Settings& settings = {}, Os default_os = Os::none) {
  const test::ParsedPod pod('{' + spec + '}'), old('{' + old_spec + '}');
  return test::patch_text(Policy(settings).make_update_patch(
      pod.pod(), find_target(pod.pod(), settings.target, default_os), old.pod(),
      find_target(old.pod(), settings.target, default_os), old.object()));
}

std::string tolerations(const std::string& list) { return R"("tolerations":[)" + list + ']'; }

TEST(PlacementOfUpdate, AddsWhatTheOldPodHasAndAManifestThatIsAppliedAgainLacks) {
  const std::string add = "add /spec/tolerations/- " + kWin1809 + '\n';
  const std::string placed = kWindowsSelector + ',' + tolerations(kOwnToleration + ',' + kWin1809);
  const std::string sent = kWindowsSelector + ',' + tolerations(kOwnToleration);
  EXPECT_EQ(updated(sent, placed), add);
  EXPECT_EQ(updated(placed, placed), "");
  EXPECT_EQ(updated(kWindowsSelector, placed), "add /spec/tolerations [" + kWin1809 + "]\n");
  EXPECT_EQ(updated(sent, sent), "") << "it was not placed";
  EXPECT_EQ(updated(kWindowsSelector + ',' + tolerations(R"({"operator":"Exists"})"), placed), add)
      << "no toleration of a pod may be removed, whatever the others tolerate";
}

TEST(PlacementOfUpdate, AddsTheSelectorThatTheOldPodHas) {
  const std::string os = R"("os":{"name":"windows"},)";
  const std::string old =
      os + R"("nodeName":"a","nodeSelector":{"pool":"w","kubernetes.io/os":"windows"})";
  EXPECT_EQ(updated(os + R"("nodeName":"a","nodeSelector":{"pool":"w"})", old),
            "add /spec/nodeSelector/kubernetes.io~1os \"windows\"\n");
  EXPECT_EQ(updated(os + R"("nodeName":"a")", os + R"("nodeName":"a")"), "");
}

TEST(PlacementOfUpdate, AddsTheSelectorOfALinuxPodByDefault) {
  const std::string old = R"("nodeName":"a","nodeSelector":{"kubernetes.io/os":"linux"})";
  EXPECT_EQ(updated(R"("nodeName":"a")", old, {}, Os::linux),
            "add /spec/nodeSelector {\"kubernetes.io/os\":\"linux\"}\n");
  EXPECT_EQ(updated(R"("nodeName":"a")", old), "") << "nothing says what it is for";
  EXPECT_EQ(updated(R"("nodeName":"a")", R"("nodeName":"a")", {}, Os::linux), "");
}

TEST(PlacementOfUpdate, AddsNothingOfThePlacementOfAnotherOs) {
  EXPECT_EQ(updated(R"("os":{"name":"linux"})",
                    tolerations(kWin1809) + R"(,"nodeSelector":{"kubernetes.io/os":"linux"})"),
            "");
  EXPECT_EQ(updated(R"("nodeName":"a")", R"("nodeSelector":{"kubernetes.io/os":"windows"})", {},
                    Os::linux),
            "");
}

TEST(PlacementOfUpdate, AddsTheTolerationsOfAPodThatBecomesOneForWindows) {
  EXPECT_EQ(updated(kWindowsSelector, ""), "add /spec/tolerations [" + kWin1809 + "]\n");
  EXPECT_EQ(updated(R"("os":{"name":"windows"})", ""), "add /spec/tolerations [" + kWin1809 + "]\n")
      << "a selector must not be added any more";
}

TEST(PlacementOfUpdate, AddsTheTolerationsOfAnotherBuild) {
  const std::string win2022 =
      R"({"key":"os","operator":"Equal","value":"Win2022","effect":"NoSchedule"})";
  const std::string build = R"(,"node.kubernetes.io/windows-build":"10.0.20348"})";
  const std::string selector = R"("nodeSelector":{"kubernetes.io/os":"windows")";
  Settings settings;
  settings.tolerations_by_build["10.0.20348"] = {
      {.key = "os", .value = "Win2022", .effect = "NoSchedule"}};
  EXPECT_EQ(updated(selector + build + ',' + tolerations(kOwnToleration),
                    selector + "}," + tolerations(kOwnToleration + ',' + kWin1809), settings),
            "add /spec/tolerations/- " + win2022 + "\nadd /spec/tolerations/- " + kWin1809 + '\n');
}

TEST(PlacementOfUpdate, AddsTheTolerationsOfTheBuildOfAnotherImage) {
  const auto placed = [](const std::string& containers) {
    return kWindowsSelector + ',' + containers + ',' +
           tolerations(R"({"key":"os","operator":"Exists"})");
  };
  const std::string old = placed(R"("containers":[{"image":"app:1"}])");
  Settings settings;
  settings.tolerations = {{.key = "os", .op = "Exists", .value = "", .effect = ""}};
  settings.tolerations_by_build["10.0.20348"] = {
      settings.tolerations[0], {.key = "build", .value = "2022", .effect = "NoSchedule"}};
  EXPECT_EQ(updated(placed(R"("containers":[{"image":"app:ltsc2022"}])"), old, settings),
            "add /spec/tolerations/- "
            R"({"key":"build","operator":"Equal","value":"2022","effect":"NoSchedule"})"
            "\n");
  EXPECT_EQ(updated(placed(R"("containers":[{"image":"app:2"}])"), old, settings), "");
  EXPECT_EQ(updated(placed(R"("containers":[{"image":"app:1"}],)"
                           R"("ephemeralContainers":[{"image":"app:ltsc2022"}])"),
                    old, settings),
            "")
      << "kubectl debug cannot add tolerations";
  settings.tolerations_by_build["10.0.17763"] = settings.tolerations;
  EXPECT_EQ(updated(kWindowsSelector + R"(,"containers":[{"image":"app:ltsc2019"}])",
                    kWindowsSelector + R"(,"containers":[{"image":"app:1"}])", settings),
            "")
      << "the build has the tolerations that the pod was to have";
}

TEST(PlacementOfUpdate, GivesBackTheTolerationThatNamesTheBuildInsteadOfAnother) {
  const std::string win2022 =
      R"({"key":"os","operator":"Equal","value":"Win2022","effect":"NoSchedule"})";
  Settings settings;
  settings.tolerations_by_build["10.0.20348"] = {
      {.key = "os", .value = "Win2022", .effect = "NoSchedule"}};
  const std::string old =
      kWindowsSelector + R"(,"containers":[{"image":"app:ltsc2022"}],)" + tolerations(win2022);
  const std::string other_image = kWindowsSelector + R"(,"containers":[{"image":"app:2"}])";
  EXPECT_EQ(updated(other_image, old, settings), "add /spec/tolerations [" + win2022 + "]\n")
      << "kubectl apply";
  EXPECT_EQ(updated(other_image + ',' + tolerations(win2022), old, settings), "")
      << "kubectl set image";
}

TEST(PlacementOfUpdate, GivesBackEachLostTolerationOnceBesideThoseOfAnotherBuild) {
  const std::string pool = R"({"key":"pool","operator":"Exists","effect":"NoSchedule"})";
  Settings settings;
  settings.tolerations.insert(settings.tolerations.begin(),
                              {.key = "pool", .op = "Exists", .value = "", .effect = "NoSchedule"});
  auto& build = settings.tolerations_by_build["10.0.20348"] = settings.tolerations;
  build.push_back({.key = "os", .value = "Win1809", .effect = "NoExecute"});
  EXPECT_EQ(updated(kWindowsSelector + R"(,"containers":[{"image":"app:ltsc2022"}])",
                    kWindowsSelector + R"(,"containers":[{"image":"app:1"}],)" +
                        tolerations(pool + ',' + kWin1809),
                    settings),
            R"(add /spec/tolerations [{"key":"os","operator":"Equal","value":"Win1809",)"
            R"("effect":"NoExecute"},)" +
                pool + ',' + kWin1809 + "]\n");
}

TEST(PlacementOfUpdate, StripsWhatTheOldPodDoesNotHave) {
  Settings settings;
  settings.actions["seccomp-profile"] = Action::strip;
  const std::string with =
      kWindowsSelector + R"(,"securityContext":{"seccompProfile":{"type":"RuntimeDefault"}})";
  const std::string without = kWindowsSelector + R"(,"securityContext":{})";
  EXPECT_EQ(updated(with, without, settings), "remove /spec/securityContext/seccompProfile \n");
  EXPECT_EQ(updated(with, with, settings), "") << "it was admitted with the field";
  EXPECT_EQ(updated(with, without), "");
}

TEST(PlacementOfUpdate, SetsTheOsAndRemovesFieldsAsForTheOldPod) {
  Settings settings;
  settings.set_os = true;
  const std::string os = R"(,"os":{"name":"windows"})";
  const std::string placed = kWindowsSelector + ',' + tolerations(kWin1809);
  const std::string seccomp = R"(,"securityContext":{"seccompProfile":{"type":"RuntimeDefault"}})";
  const std::string remove = "remove /spec/securityContext/seccompProfile \n";
  EXPECT_EQ(updated(placed + os + seccomp, placed + os, settings), remove) << "kubectl apply";
  EXPECT_EQ(updated(placed + seccomp, placed + os, settings),
            "add /spec/os {\"name\":\"windows\"}\n" + remove)
      << "kubectl apply --server-side";
  EXPECT_EQ(updated(placed + seccomp, placed, settings), "") << "the old pod has none";
  EXPECT_EQ(updated(placed + os + seccomp, placed + os + seccomp, settings), "")
      << "it was admitted with the field";
  EXPECT_EQ(updated(placed + os + seccomp, placed + os), "");
  EXPECT_EQ(updated(placed + os + R"(,"hostPID":true)" + seccomp, placed + os, settings), "")
      << "it would not get spec.os as a new pod";
}

TEST(PlacementOfUpdate, StripsAsForANewPodIfTheAuthorSetTheOs) {
  Settings settings;
  settings.set_os = true;
  settings.actions["capabilities-add"] = Action::strip;
  const std::string placed =
      kWindowsSelector + R"(,"os":{"name":"windows"},)" + tolerations(kWin1809);
  const auto with = [&](const std::string& fields) {
    return placed + R"(,"shareProcessNamespace":true,"containers":[{"name":"c")" + fields + "}]";
  };
  EXPECT_EQ(updated(with(R"(,"securityContext":{"capabilities":{"add":["NET_ADMIN"]}})"),
                    with(R"(,"securityContext":{})"), settings),
            "remove /spec/containers/0/securityContext/capabilities \n");
}

}  // namespace
}  // namespace winadmit
