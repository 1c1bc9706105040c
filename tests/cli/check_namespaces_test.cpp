// `winadmit check` and the namespaces of a cluster: their labels, and which are left out.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/cli/binary.hpp"

namespace winadmit {
namespace {

using nlohmann::json;
using Actions = std::map<std::string, std::string>;  // by namespace

json name_space(const std::string& name, const json& labels = json::object()) {
  return {{"apiVersion", "v1"},
          {"kind", "Namespace"},
          {"metadata", {{"name", name}, {"labels", labels}}}};
}

json pod(const std::string& name_space, const json& spec) {
  return {{"apiVersion", "v1"},
          {"kind", "Pod"},
          {"metadata", {{"name", "web"}, {"namespace", name_space}}},
          {"spec", spec}};
}

const json kBad = {{"os", {{"name", "windows"}}}, {"hostPID", true}};
const json kBadByDefault = {{"hostPID", true}};

/// As the API server returns it.
json stored(json object) {
  object["metadata"]["uid"] = "0e3a6b4a-5d5c-4b0e-8c4e-000000000000";
  object["metadata"]["resourceVersion"] = "1";
  return object;
}

json list(const json& items) { return {{"apiVersion", "v1"}, {"kind", "List"}, {"items", items}}; }

/// As `kubectl get` prints it.
json listed(const std::vector<json>& objects) {
  json items = json::array();
  for (const json& each : objects) items.push_back(stored(each));
  return list(items);
}

/// A namespace for each way to label one.
const std::vector<json> kCluster = {
    name_space("plain"),
    name_space("enforce", {{"winadmit.dev/mode", "enforce"}}),
    name_space("warn", {{"winadmit.dev/mode", "warn"}}),
    name_space("audit", {{"winadmit.dev/mode", "audit"}}),
    name_space("off", {{"winadmit.dev/mode", "off"}}),
    name_space("misspelled", {{"winadmit.dev/mode", "Off"}}),
    name_space("windows", {{"winadmit.dev/default-os", "windows"}}),
    name_space("warn-windows",
               {{"winadmit.dev/default-os", "windows"}, {"winadmit.dev/mode", "warn"}}),
    name_space("linux", {{"winadmit.dev/default-os", "linux"}}),
    name_space("kube-system"),
};

class CheckNamespaces : public test::Binary {
 protected:
  std::string write(const std::string& name, const json& object) const {
    return Binary::write(name, object.dump());
  }

  std::string write_cluster() const { return write("namespaces.json", json(listed(kCluster))); }

  /// A file with a pod for each namespace of the cluster, and for one of another.
  std::string write_pods(const json& spec) const {
    json pods = json::array({pod("other", spec)});
    for (const json& each : kCluster)
      pods.push_back(pod(each["metadata"]["name"].get<std::string>(), spec));
    return write("pods.json", list(pods));
  }

  /// Of the findings about pods.
  static Actions actions(const test::Result& result) {
    Actions found;
    const json report = json::parse(result.out);
    for (const json& each : report["findings"]) {
      if (each["rule"] == "host-pid") found[each["namespace"]] = each["action"];
    }
    return found;
  }
};

TEST_F(CheckNamespaces, GiveTheirModeToTheObjectsInThem) {
  const auto result =
      run("check -o json --namespaces " + write_cluster() + " -f " + write_pods(kBad));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(actions(result), (Actions{{"audit", "warn"},
                                      {"enforce", "deny"},
                                      {"linux", "deny"},
                                      {"misspelled", "deny"},
                                      {"other", "deny"},
                                      {"plain", "deny"},
                                      {"warn", "warn"},
                                      {"warn-windows", "warn"},
                                      {"windows", "deny"}}));
  const json report = json::parse(result.out);
  EXPECT_EQ(report["notChecked"], (json{{"kube-system", 1}, {"off", 1}}));
  EXPECT_EQ(report["notJudged"], json::object());
  EXPECT_NE(result.err.find("2 objects in namespaces that winadmit does not check: kube-system, "
                            "off\n"),
            std::string::npos)
      << result.err;
}

TEST_F(CheckNamespaces, GiveTheirDefaultOsToPodsWithoutASignal) {
  const std::string arguments =
      "check -o json --namespaces " + write_cluster() + " -f " + write_pods(kBadByDefault);
  EXPECT_EQ(actions(run(arguments)), (Actions{{"warn-windows", "warn"}, {"windows", "deny"}}));
  const Actions by_flag = actions(run(arguments + " --default-os windows"));
  EXPECT_EQ(by_flag.at("plain"), "deny") << "the flag is for namespaces without the label";
  EXPECT_FALSE(by_flag.contains("linux"));
}

TEST_F(CheckNamespaces, InModeWarnOrAuditFailNothingUnlessWarningsDo) {
  const std::string cluster = write_cluster();
  for (const std::string mode : {"warn", "audit", "off"}) {
    const std::string arguments =
        "--namespaces " + cluster + " -f " + write("pod.json", pod(mode, kBad));
    EXPECT_EQ(run("check " + arguments).exit_code, 0) << mode;
    EXPECT_EQ(run("check --fail-on warn " + arguments).exit_code, mode == "off" ? 0 : 1) << mode;
  }
}

TEST_F(CheckNamespaces, InModeWarnDoNotMakeAMalformedFieldGood) {
  json malformed = kBad;
  malformed["hostPID"] = "yes";
  const std::string file = write("pod.json", pod("warn", malformed));
  EXPECT_EQ(run("check --namespaces " + write_cluster() + " -f " + file).exit_code, 1);
}

TEST_F(CheckNamespaces, LeaveAnObjectWithoutANamespaceAsItIs) {
  json given = kCluster;
  given.push_back(name_space("default", {{"winadmit.dev/mode", "off"}}));
  json unnamed = pod("", kBad);
  unnamed["metadata"].erase("namespace");
  EXPECT_EQ(run("check --namespaces " + write("namespaces.json", list(given)) + " -f " +
                write("pod.json", unnamed))
                .exit_code,
            1)
      << "kubectl may be given any namespace";
}

TEST_F(CheckNamespaces, OfTheDefaultModeHaveThatOfTheInstallation) {
  const std::string arguments =
      " -o json --namespaces " + write_cluster() + " -f " + write_pods(kBad);
  const Actions audit = actions(run("check --default-mode audit" + arguments));
  for (const char* name : {"plain", "misspelled", "linux"}) EXPECT_EQ(audit.at(name), "warn");
  for (const char* name : {"enforce", "other"}) EXPECT_EQ(audit.at(name), "deny");
  const Actions opt_in = actions(run("check --opt-in" + arguments));
  EXPECT_FALSE(opt_in.contains("plain"));
  EXPECT_FALSE(opt_in.contains("windows"));
  EXPECT_EQ(opt_in.at("misspelled"), "deny");
  EXPECT_EQ(opt_in.at("other"), "deny") << "its labels are not known";
  for (const char* flag : {"--default-mode warn", "--opt-in"}) {
    const auto result = run("check " + std::string(flag) + " -f " + folder_.path().string());
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_NE(result.err.find("needs --namespaces"), std::string::npos) << result.err;
  }
}

TEST_F(CheckNamespaces, InTheOutputOfKubectlCount) {
  std::vector<json> objects = kCluster;
  for (const json& each : kCluster)
    objects.push_back(pod(each["metadata"]["name"].get<std::string>(), kBadByDefault));
  const auto result =
      run("check -o json --namespaces - -f -", "", write("all.json", json(listed(objects))));
  EXPECT_EQ(actions(result), (Actions{{"warn-windows", "warn"}, {"windows", "deny"}}));
  EXPECT_EQ(json::parse(result.out)["notChecked"], (json{{"kube-system", 1}, {"off", 1}}));
}

// Whoever opens a pull request could add one, with any field.
TEST_F(CheckNamespaces, SoftenNothingWithoutTheFlag) {
  const std::string given =
      write("given.json",
            json(listed({name_space("off", {{"winadmit.dev/mode", "off"}}), pod("off", kBad)})));
  EXPECT_EQ(run("check --namespaces - -f -", "", given).exit_code, 0);
  EXPECT_EQ(run("check -f -", "", given).exit_code, 1);
  EXPECT_EQ(run("check -f " + given).exit_code, 1);
  EXPECT_EQ(run("check -f - --stdin-filename a.yaml", "", given).exit_code, 1);
}

TEST_F(CheckNamespaces, OfTheFlagAreExempt) {
  const std::string file = write("x.json", pod("team-x", kBad));
  EXPECT_EQ(run("check --exempt-namespace team-x -f " + file).exit_code, 0);
  EXPECT_EQ(run("check --exempt-namespace team-y -f " + file).exit_code, 1);
}

TEST_F(CheckNamespaces, AfterTheObjectsInThemAreAnError) {
  const json bad = pod("off", kBad), off = name_space("off", {{"winadmit.dev/mode", "off"}});
  const auto late =
      run("check --namespaces - -f -", "", write("late.json", json(listed({bad, off}))));
  EXPECT_EQ(late.exit_code, 2);
  EXPECT_NE(late.err.find("kubectl get namespaces,pods"), std::string::npos) << late.err;
  const json unlabelled = listed({bad, name_space("off")});
  EXPECT_EQ(run("check --namespaces - -f -", "", write("late.json", unlabelled)).exit_code, 1);
  const std::string cluster = write("namespaces.json", list(json::array({off})));
  EXPECT_EQ(run("check --namespaces " + cluster + " -f -", "",
                write("late.json", json(listed({bad, off}))))
                .exit_code,
            0);
}

TEST_F(CheckNamespaces, OfTheConfigurationThatAreExemptAreNotChecked) {
  const std::string config =
      Binary::write("config.yaml", "exempt: {namespaces: [team-x, team-y]}\n");
  const auto result =
      run("check --config " + config + " -f " + write("x.json", pod("team-x", kBad)) + ' ' +
          write("y.json", pod("team-y", kBad)));
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.err.find("2 objects in namespaces that winadmit does not check: team-x, "
                            "team-y\n"),
            std::string::npos)
      << result.err;
}

TEST_F(CheckNamespaces, ThatAreNotCheckedLeaveIgnoresUsed) {
  json ignoring = pod("off", kBad);
  ignoring["metadata"]["annotations"] = {{"winadmit.dev/ignore", "host-pid; host-ipc"}};
  const std::string file =
      Binary::write("pod.yaml", ignoring.dump() + "\n---\n" +
                                    "apiVersion: v1\nkind: Pod\n"
                                    "metadata: {name: a, namespace: \"off\"}\nspec:\n"
                                    "  os: {name: windows}\n"
                                    "  hostPID: true  # winadmit: ignore host-pid\n");
  const auto result = run("check --namespaces " + write_cluster() + " -f " + file);
  EXPECT_EQ(result.err,
            "2 objects, 0 with Windows pods: 0 refused, 0 with warnings\n"
            "2 objects in namespaces that winadmit does not check: off\n");
}

TEST_F(CheckNamespaces, ComeFromAFileThatMayHoldOtherObjects) {
  const std::string bad = write("bad.json", pod("off", kBad));
  const std::string both = write(
      "both.json", list({name_space("off", {{"winadmit.dev/mode", "off"}}), pod("off", kBad)}));
  EXPECT_EQ(run("check --namespaces " + both + " -f " + both).exit_code, 0);
  EXPECT_EQ(run("check --namespaces - -f " + bad, "", both).exit_code, 0);
  const auto none = run("check --namespaces " + bad + " -f " + bad);
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find("no Namespaces found in " + bad), std::string::npos) << none.err;
  const std::string broken = Binary::write("broken.yaml", "apiVersion: v1\nkind: [\n");
  for (const std::string& unreadable : {broken, broken + ".gone"})
    EXPECT_EQ(run("check --namespaces " + unreadable + " -f " + bad).exit_code, 2) << unreadable;
  EXPECT_EQ(
      run("check -q --report-file json=" + both + " --namespaces " + both + " -f " + bad).exit_code,
      2)
      << "the report would replace it";
}

TEST_F(CheckNamespaces, AreNotTakenFromTheEnvironment) {
  const std::string file = write("bad.json", pod("off", kBad));
  const std::string environment =
      "WINADMIT_OPT_IN=true WINADMIT_DEFAULT_MODE=audit WINADMIT_NAMESPACES=" + write_cluster();
  EXPECT_EQ(run("check -f " + file, environment).exit_code, 1);
}

}  // namespace
}  // namespace winadmit
