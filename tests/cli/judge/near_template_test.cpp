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

  static std::string warning(const std::string& correction) {
    return "rollout.yaml:2:1: warning: Rollout web: kind: is not judged, because an entry of "
           "templates "
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
        "kind: Rollout, path: spec.other"})
    EXPECT_EQ(checked(entry), "") << entry;
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

}  // namespace
}  // namespace winadmit
