// `winadmit check` and `fix`: the RuntimeClasses and Namespaces among the objects.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/cli/binary.hpp"

namespace winadmit {
namespace {

using nlohmann::json;

json runtime_class(const json& selector) {
  return {{"apiVersion", "node.k8s.io/v1"},
          {"kind", "RuntimeClass"},
          {"metadata", {{"name", "win"}}},
          {"handler", "runhcs"},
          {"scheduling",
           {{"nodeSelector", selector}, {"tolerations", {{{"key", "os"}, {"value", "Win1809"}}}}}}};
}

json name_space(const json& annotations, const json& labels = json::object()) {
  return {{"apiVersion", "v1"},
          {"kind", "Namespace"},
          {"metadata", {{"name", "shop"}, {"annotations", annotations}, {"labels", labels}}}};
}

const json kWindows = {{"kubernetes.io/os", "windows"}};

/// A Deployment, so that nothing places it.
json deployment(const json& more = json::object()) {
  json spec = {{"runtimeClassName", "win"}, {"hostPID", true}, {"containers", json::array()}};
  spec["containers"].push_back({{"name", "a"}, {"image", "registry.example/a"}});
  spec.update(more);
  return {{"apiVersion", "apps/v1"},
          {"kind", "Deployment"},
          {"metadata", {{"name", "web"}, {"namespace", "shop"}}},
          {"spec",
           {{"selector", {{"matchLabels", {{"a", "b"}}}}},
            {"template", {{"metadata", {{"labels", {{"a", "b"}}}}}, {"spec", spec}}}}}};
}

class AddedSchedulingOf : public test::Binary {
 protected:
  std::string stream(const std::vector<json>& objects, const std::string& name = "all.json") const {
    std::string text;
    for (const json& each : objects) text += each.dump() + '\n';
    return write(name, text);
  }

  bool is_refused(const std::vector<json>& objects) const {
    return run("check " + stream(objects)).out.find("(host-pid)") != std::string::npos;
  }
};

TEST_F(AddedSchedulingOf, ARuntimeClassSendsPodsToWindows) {
  EXPECT_FALSE(is_refused({deployment()}));
  for (const json& selector : {kWindows, json{{"beta.kubernetes.io/os", "windows"}},
                               json{{"node.kubernetes.io/windows-build", "10.0.20348"}}}) {
    EXPECT_TRUE(is_refused({runtime_class(selector), deployment()})) << selector;
    EXPECT_TRUE(is_refused({deployment(), runtime_class(selector)})) << selector;
  }
  EXPECT_FALSE(is_refused({runtime_class({{"kubernetes.io/os", "linux"}}), deployment()}));
  EXPECT_FALSE(is_refused({runtime_class("windows"), deployment()}));
  const std::string pods = stream({deployment()}, "a.json");
  const std::string classes = stream({runtime_class(kWindows)}, "b.json");
  EXPECT_EQ(run("check " + pods + ' ' + classes).exit_code, 1);
  EXPECT_EQ(run("check " + pods).exit_code, 0);
  EXPECT_EQ(run("check " + pods + ' ' + classes + " --exclude '*b.json'").exit_code, 0);
}

TEST_F(AddedSchedulingOf, ARuntimeClassCountsWhateverHowItIsWritten) {
  const std::string file = write("escaped.yaml", deployment().dump() +
                                                     "\n---\napiVersion: node.k8s.io/v1\n"
                                                     "kind: \"\\x52untimeClass\"\n"
                                                     "metadata: {name: win}\nhandler: a\n"
                                                     "scheduling: {nodeSelector: "
                                                     "{kubernetes.io/os: windows}}\n");
  EXPECT_EQ(run("check " + file).exit_code, 1);
}

TEST_F(AddedSchedulingOf, ANamespaceSendsPodsToWindows) {
  for (const char* key :
       {"scheduler.alpha.kubernetes.io/node-selector", "openshift.io/node-selector"})
    EXPECT_TRUE(is_refused({deployment(), name_space({{key, "a=b, kubernetes.io/os = windows"}})}))
        << key;
  EXPECT_TRUE(is_refused(
      {deployment(), name_space(json::object(), {{"winadmit.dev/default-os", "windows"}})}));
  EXPECT_FALSE(is_refused({deployment(), name_space({{"openshift.io/node-selector", ""}})}));
}

TEST_F(AddedSchedulingOf, NothingSoftensAVerdict) {
  const json os = {{"os", {{"name", "windows"}}}};
  const json options = {{"securityContext", {{"windowsOptions", {{"runAsUserName", "web"}}}}}};
  for (const json& spec : {os, options}) {
    EXPECT_TRUE(is_refused({deployment(spec)})) << spec;
    EXPECT_EQ(run("check " +
                  stream({runtime_class({{"kubernetes.io/os", "linux"}}),
                          name_space(
                              {{"openshift.io/node-selector", "kubernetes.io/os=linux"}},
                              {{"winadmit.dev/default-os", "linux"}, {"winadmit.dev/mode", "off"}}),
                          deployment(spec)}))
                  .exit_code,
              1)
        << spec;
  }
}

TEST_F(AddedSchedulingOf, AnotherOneOfTheNameSoftensNoVerdict) {
  const json linux_class = runtime_class({{"kubernetes.io/os", "linux"}});
  EXPECT_TRUE(is_refused({linux_class, deployment(), runtime_class(kWindows)}));
  EXPECT_TRUE(is_refused({runtime_class(kWindows), deployment(), linux_class}));
  const json windows = name_space(json::object(), {{"winadmit.dev/default-os", "windows"}});
  EXPECT_TRUE(is_refused({name_space(json::object()), deployment(), windows}));
  EXPECT_TRUE(is_refused({windows, deployment(), name_space(json::object())}));
}

TEST_F(AddedSchedulingOf, ManyEntriesAreAnError) {
  json selector = kWindows;
  for (int i = 0; i < 100; ++i) selector["a" + std::to_string(i)] = "b";
  const auto result = run("check " + stream({runtime_class(selector), deployment()}));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("more than 100 entries"), std::string::npos) << result.err;
}

TEST_F(AddedSchedulingOf, TheFileOfItsNameIsNotStandardInput) {
  write("-", "");
  const std::string bad = stream({runtime_class(kWindows), deployment()});
  EXPECT_EQ(run("check -f -", "cd " + folder_.path().string() + " &&", bad).exit_code, 1);
}

TEST_F(AddedSchedulingOf, StandardInputComesBeforeItsPods) {
  const auto check = [&](const std::vector<json>& objects) {
    return run("check -f -", "", stream(objects)).exit_code;
  };
  EXPECT_EQ(check({runtime_class(kWindows), deployment()}), 1);
  EXPECT_EQ(check({deployment(), runtime_class(kWindows)}), 2);
  EXPECT_EQ(check({deployment(), runtime_class({{"kubernetes.io/os", "linux"}})}), 0);
}

TEST_F(AddedSchedulingOf, FixPlacesWhatItSendsToWindows) {
  const auto result = run("fix --platform any " + stream({deployment(), runtime_class(kWindows)}));
  EXPECT_NE(result.err.find("added spec.template.spec.nodeSelector kubernetes.io/os: windows"),
            std::string::npos)
      << result.err;
  const auto tolerated = run("fix " + stream({deployment(), runtime_class(kWindows)}));
  EXPECT_EQ(tolerated.err.find("Win1809"), std::string::npos) << tolerated.err;
}

}  // namespace
}  // namespace winadmit
