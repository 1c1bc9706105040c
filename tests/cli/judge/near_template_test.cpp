#include <gtest/gtest.h>

#include <string>

#include "tests/cli/check_in_folder.hpp"

namespace winadmit {
namespace {

class NearTemplate : public test::CheckInFolder {
 protected:
  /// What check prints with this entry of templates for a Rollout with a finding.
  std::string checked(const std::string& entry) const {
    write(".winadmit.yaml", "templates: [{" + entry + "}]\n");
    write("rollout.yaml",
          "apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {name: web}\nspec:\n"
          "  template:\n    spec:\n      os: {name: windows}\n      hostPID: true\n"
          "      containers: [{name: c, image: i}]\n");
    const auto result = check("rollout.yaml");
    EXPECT_NE(result.err.find(result.out.find("host-pid") == std::string::npos
                                  ? "not judged: 1 Rollout.argoproj.io"
                                  : "1 refused"),
              std::string::npos)
        << result.err;
    return result.out;
  }

  /// Of a Rollout or another object with these entries.
  test::Result checked_object(
      const std::string& entries, const std::string& spec,
      const std::string& head = "apiVersion: argoproj.io/v1alpha1\nkind: Rollout\n") const {
    write(".winadmit.yaml", "templates: [" + entries + "]\n");
    write("rollout.yaml", head + "metadata: {name: web}\nspec: " + spec + "\n");
    return check("rollout.yaml");
  }

  static std::string warning(const std::string& correction, const std::string& object = "Rollout") {
    return "rollout.yaml:2:1: warning: " + object +
           " web: kind: is not judged, because an entry of templates "
           "in .winadmit.yaml nearly names it; write " +
           correction + " there (advice-kind)\n";
  }
};

TEST_F(NearTemplate, SaysWhatToWriteInAnEntryThatNearlyNamesTheObject) {
  EXPECT_EQ(checked("kind: Rollout, path: spec.template"), warning("group: argoproj.io"));
  EXPECT_EQ(checked("group: argoprj.io, kind: Rollout, path: spec.template"),
            warning("group: argoproj.io"));
  EXPECT_EQ(checked("group: argoproj.io, kind: rollout, path: spec.template"),
            warning("kind: Rollout"));
  EXPECT_EQ(checked("group: argoproj.io, kind: Rollout, path: spec.templates"),
            warning("path: spec.template"));
}

TEST_F(NearTemplate, LeavesAnEntryForOthersAlone) {
  for (const std::string entry :
       {"group: example.com, kind: Rollout, path: spec.template",
        "kind: Fleet, path: spec.template",
        "group: argoproj.io, kind: Rollout, path: spec.workloadRef",
        "group: argoproj.io, kind: Rollout, path: 'spec.items[*].template'",
        "kind: Rollout, path: spec.other",
        "group: argoproj.io, kind: Rollout, path: spec.templat.spec"})
    EXPECT_EQ(checked(entry), "") << entry;
  for (const std::string spec : {"templateRef: {name: x}", "templateId: abc", "templates: []"}) {
    write("other.yaml", "apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nspec: {" + spec + "}\n");
    write(".winadmit.yaml",
          "templates: [{group: argoproj.io, kind: Rollout, path: spec.template}]\n");
    EXPECT_EQ(check("other.yaml").out, "") << spec;
  }
}

TEST_F(NearTemplate, NamesAPathThatIsThatOfAPodSpec) {
  write(".winadmit.yaml",
        "templates: [{group: argoproj.io, kind: Rollout, path: spec.template.spec}]\n");
  write("rollout.yaml",
        "apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {name: web}\n"
        "spec: {template: {spec: {containers: []}}}\n");
  const auto result = check("rollout.yaml");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(
      result.out,
      "rollout.yaml:4:19: warning: Rollout web: spec.template.spec: is not judged, because the "
      "path of its entry of templates in .winadmit.yaml is that of a pod spec; write the path "
      "without .spec there (advice-kind)\n");
}

TEST_F(NearTemplate, ComparesGroupsKindsAndPathsOfAnEntry) {
  const std::string spec = "{template: {spec: {containers: []}}}";
  EXPECT_EQ(checked_object("{group: argopr.io, kind: Rollout, path: spec.template}", spec).out,
            warning("group: argoproj.io"));
  EXPECT_EQ(checked_object(
                "{kind: Fleet, path: spec.template}, {kind: Rollout, path: spec.template}", spec)
                .out,
            warning("group: argoproj.io"))
      << "the second entry";
  for (const char* entry : {"{group: argop.io, kind: Rollout, path: spec.template}",
                            "{group: argoproj.io, kind: Fleet, path: spec.template}",
                            "{group: example.com, kind: rollout, path: spec.template}",
                            "{group: argoproj.io, kind: rollout, path: spec.other}",
                            "{group: argoproj.io, kind: Rollout, path: spec.templates.other}"})
    EXPECT_EQ(checked_object(entry, spec).out, "") << entry;
  EXPECT_EQ(checked_object("{group: v1, kind: Fleet, path: spec.template}", spec,
                           "apiVersion: v1\nkind: Fleet\n")
                .out,
            warning("group: ''", "Fleet"));
  EXPECT_EQ(checked_object("{group: argoproj.io, kind: Rollout, path: 'spec.task[*].template'}",
                           "{tasks: [{template: {spec: {containers: []}}}]}")
                .out,
            warning("path: spec.tasks[*].template"));
}

TEST_F(NearTemplate, ComparesAMisspelledMemberWithAHundredOthers) {
  for (const int others : {99, 100}) {
    std::string spec = "{template: {spec: {containers: []}}";
    for (int i = 0; i < others; ++i) spec += ", m" + std::to_string(i) + ": 1";
    EXPECT_EQ(
        checked_object("{group: argoproj.io, kind: Rollout, path: spec.templates}", spec + '}').out,
        others == 99 ? warning("path: spec.template") : "")
        << others;
  }
}

TEST_F(NearTemplate, NamesEachPathThatIsThatOfAPodSpecAndNoOther) {
  const std::string entry = "{group: argoproj.io, kind: Rollout, path: ";
  const auto each = checked_object(entry + "'spec.tasks[*].spec'}",
                                   "{tasks: [{spec: {containers: []}}, {spec: {containers: []}}]}");
  EXPECT_NE(each.out.find("spec.tasks[1].spec: is not judged"), std::string::npos) << each.out;
  EXPECT_NE(each.err.find("not judged: 1 Rollout.argoproj.io"), std::string::npos) << each.err;
  EXPECT_EQ(checked_object(entry + "spec.template.spec}",
                           "{template: {metadata: {annotations: {winadmit.dev/ignore: "
                           "advice-kind}}, spec: {containers: []}}}")
                .out,
            "")
      << "the annotation is for it";
  const auto is_named = [&](const std::string& path, const std::string& spec) {
    return checked_object(entry + path + '}', spec).out.find("without .spec") != std::string::npos;
  };
  EXPECT_FALSE(is_named("spec.template", "{template: {containers: []}}"));
  EXPECT_FALSE(is_named("spec.template.spec", "{template: {spec: {template: {}}}}"));
  EXPECT_FALSE(is_named("spec.template.spec", "{template: {spec: {containers: [], spec: {}}}}"));
}

}  // namespace
}  // namespace winadmit
