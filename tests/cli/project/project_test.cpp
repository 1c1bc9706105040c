#include "cli/project/project.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "cli/project/glob.hpp"
#include "cli/project/project_reader.hpp"
#include "tests/temporary_folder.hpp"

namespace winadmit::cli {
namespace {

TEST(Glob, MatchesFilesByPathFolderOrName) {
  const std::filesystem::path folder = "/repo";
  for (const char* pattern : {"charts/*",
                              "charts",
                              "charts/",
                              "./charts/a",
                              "*.yaml",
                              "b.yaml",
                              "charts/a/b.yaml",
                              "*/b.yaml",
                              "c?arts/*",
                              "",
                              "**/b.yaml",
                              "**/charts/**/a/**/b.yaml",
                              "**/a/**/b.yaml",
                              "c**/**/b.yaml",
                              "c**/a/**/b.yaml",
                              "/repo/charts",
                              "/repo/**/b.yaml",
                              ".",
                              "./",
                              "charts//a",
                              "charts/b/../a",
                              "/repo//charts/"})
    EXPECT_TRUE(matches_file(pattern, "/repo/charts/a/b.yaml", folder)) << pattern;
  for (const char* pattern :
       {"chart", "a/b.yaml", "/charts/*", "*.yml", "B.yaml", "a", "a**/charts/*", "/repo/a"})
    EXPECT_FALSE(matches_file(pattern, "/repo/charts/a/b.yaml", folder)) << pattern;
  EXPECT_FALSE(matches_file(".", "/other/b.yaml", folder));
  EXPECT_TRUE(matches_file(".", "/repo/..data.yaml", folder));  // as Kubernetes names mounted files
}

TEST(Glob, TakesFilesForWhatIsBelowAFolderByALinkToTheFolder) {
  const test::TemporaryFolder root;
  std::filesystem::create_directories(root / "real/vendor");
  std::filesystem::create_directory_symlink("real", root / "link");
  root.write("real/vendor/a.yaml", "");
  EXPECT_TRUE(matches_file("vendor", root / "link/vendor/a.yaml", root / "real"));
  EXPECT_EQ(path_from(root / "real", root / "link/vendor/a.yaml"), "vendor/a.yaml");
  std::filesystem::create_directory_symlink("../../other", root / "real/shared");
  EXPECT_EQ(path_from(root / "real", root / "real/shared/b.yaml"), "shared/b.yaml")
      << "a link in the folder keeps its name";
  EXPECT_EQ(path_from(root / "real", root / "c.yaml"), "../c.yaml");
}

// Whoever writes .winadmit.yaml in a pull request chooses the patterns.
TEST(Glob, NeedsNoExponentialTimeForManyFolders) {
  const auto repeated = [](std::string_view part) {
    std::string pattern;
    for (int i = 0; i < 60; ++i) pattern += part;
    return pattern;
  };
  const std::string deep = "/repo/" + repeated("a/") + "b.yaml";
  EXPECT_TRUE(matches_file(repeated("**/") + "b.yaml", deep, "/repo"));
  EXPECT_TRUE(matches_file(repeated("**/a/") + "b.yaml", deep, "/repo"));
  EXPECT_FALSE(matches_file(repeated("**/") + "c.yaml", deep, "/repo"));
  EXPECT_FALSE(matches_file(repeated("**/a/") + "**/a/b.yaml", deep, "/repo"));
}

constexpr const char* kWhole = R"(
ignore:
  - {rule: host-pid, kind: DaemonSet, namespace: kube-*, name: "agent-?", file: agents/*, reason: it reads}
exclude: [vendor/*]
templates:
  - {group: argoproj.io, kind: Rollout, path: spec.template}
policy: {platform: aks, kubernetesVersion: "1.30", rules: {host-pid: warn}}
)";

TEST(Project, IsReadWhole) {
  const Project project = parse_project(kWhole, "p.yaml");
  ASSERT_EQ(project.ignore.size(), 1U);
  EXPECT_EQ(project.ignore[0].reason, "it reads");
  EXPECT_EQ(project.ignore[0].line, 3);
  ASSERT_EQ(project.templates.size(), 1U);
  EXPECT_EQ(project.templates[0].group, "argoproj.io");
  EXPECT_EQ(project.templates[0].kind, "Rollout");
  EXPECT_EQ(project.templates[0].path, "spec.template");
  EXPECT_EQ(project.exclude, std::vector<std::string>{"vendor/*"});
  ASSERT_TRUE(project.policy);
  EXPECT_EQ(project.policy->platform->id, "aks");
  EXPECT_EQ(project.policy->policy.kubernetes, (Version{1, 30}));
  EXPECT_TRUE(parse_project("", "p.yaml").ignore.empty());
  EXPECT_FALSE(parse_project("", "p.yaml").policy);
}

TEST(Project, IgnoresWhatMatchesEveryPattern) {
  const Project project = parse_project(kWhole, "p.yaml");
  const ManifestFinding finding{.location = {.file = "/repo/agents/a.yaml"},
                                .object = {.group = "apps",
                                           .kind = "DaemonSet",
                                           .name_space = "kube-system",
                                           .name = "agent-1"},
                                .rule = "host-pid"};
  const auto matches = [&](const ManifestFinding& each) {
    return project.ignore[0].matches(each, "/repo");
  };
  EXPECT_TRUE(matches(finding));
  ManifestFinding other = finding;
  other.rule = "host-ipc";
  EXPECT_FALSE(matches(other));
  other = finding;
  other.object.kind = "Deployment";
  EXPECT_FALSE(matches(other));
  other = finding;
  other.object.name_space = "shop";
  EXPECT_FALSE(matches(other));
  other = finding;
  other.object.name = "agent-10";
  EXPECT_FALSE(matches(other));
  other = finding;
  other.location.file = "/repo/apps/a.yaml";
  EXPECT_FALSE(matches(other));
  other.source_file = "agents/templates/a.yaml";
  EXPECT_TRUE(matches(other)) << "the template of a chart";
}

TEST(Project, ErrorsNameTheLine) {
  const auto error_of = [](const char* yaml) -> std::string {
    try {
      parse_project(yaml, "p.yaml");
    } catch (const server::ConfigError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(error_of("ignore:\n- {rule: host-pit}\n"),
            "p.yaml:2: 'host-pit' is not the id of a rule; did you mean host-pid?");
  EXPECT_EQ(error_of("ignore: [{kind: Pod}]"), "p.yaml:1: an entry of ignore needs a rule");
  EXPECT_EQ(error_of("ignore: [{rule: ''}]"), "p.yaml:1: an entry of ignore needs a rule");
  EXPECT_EQ(error_of("templates: [{kind: '', path: spec.template}]"),
            "p.yaml:1: an entry of templates needs a kind");
  EXPECT_EQ(error_of("ignored: []"),
            "p.yaml:1: unknown key 'ignored' in the file; did you mean ignore?");
  EXPECT_EQ(error_of("ignore: [{rule: host-pid, names: a}]"),
            "p.yaml:1: unknown key 'names' in an entry of ignore; did you mean name?");
  EXPECT_EQ(error_of("ignore: [{rule: host-pid, namespace: ''}]"),
            "p.yaml:1: namespace must not be empty; without it, any namespace matches");
  for (const std::string key : {"kind", "name", "file"}) {
    EXPECT_EQ(error_of(("ignore: [{rule: host-pid, " + key + ": ''}]").c_str()),
              "p.yaml:1: " + key + " must not be empty; without it, any " + key + " matches");
  }
  EXPECT_EQ(error_of("ignore: [{rule: host-pid, reason: ''}]"), "");
  EXPECT_EQ(error_of("templates: [{group: '', kind: A, path: spec.template}]"), "");
  for (const char* group : {"argoproj.io/v1alpha1", "'*'"}) {
    EXPECT_EQ(
        error_of(("templates: [{group: " + std::string(group) + ", kind: A, path: spec.template}]")
                     .c_str()),
        "p.yaml:1: group of templates must be an API group without a version, as argoproj.io");
  }
  for (const char* kind : {"'*'", "Rollout.argoproj.io", "argoproj.io/Rollout"}) {
    EXPECT_EQ(
        error_of(("templates: [{kind: " + std::string(kind) + ", path: spec.template}]").c_str()),
        "p.yaml:1: kind of templates must be the name of one kind, as Rollout");
  }
  EXPECT_EQ(error_of("templates: [{path: spec.template}]"),
            "p.yaml:1: an entry of templates needs a kind");
  EXPECT_EQ(
      error_of("templates: [{kind: A, path: /spec}]"),
      "p.yaml:1: path of templates must have the form spec.template or spec.tasks[*].template");
  EXPECT_EQ(error_of("policy:\n  platforms: aks\n"),
            "p.yaml:2: unknown key 'platforms' in policy; did you mean platform?");
  EXPECT_EQ(error_of("policy:\n  setOs: true\n  kubernetesVersion: '1.20'\n"),
            "p.yaml:2: setOs needs Kubernetes 1.24 or later, which has spec.os");
  EXPECT_TRUE(error_of("a: [").starts_with("p.yaml:")) << error_of("a: [");
}

TEST(Projects, AreFoundUpwards) {
  const test::TemporaryFolder folder;
  std::filesystem::create_directories(folder / "a/b");
  folder.write(".winadmit.yaml", "exclude: [x]\n");
  folder.write("a/.winadmit.yaml", "exclude: [y]\n");
  Projects projects;
  EXPECT_EQ(projects.of((folder / "pod.yaml").string()).exclude.front(), "x");
  EXPECT_EQ(projects.of((folder / "a/b/pod.yaml").string()).exclude.front(), "y");
  EXPECT_EQ(&projects.of((folder / "a/b/pod.yaml").string()),
            &projects.of((folder / "a/other.yaml").string()))
      << "read once";
  EXPECT_TRUE(projects.of("/proc/none.yaml").exclude.empty());
}

TEST(Projects, AreNotReadIfTheyAreTurnedOff) {
  const test::TemporaryFolder folder;
  folder.write(".winadmit.yaml", "exclude: [x]\n");
  Projects projects(false);
  EXPECT_TRUE(projects.of((folder / "pod.yaml").string()).exclude.empty());
}

TEST(Projects, OfOtherUsersAreRefused) {
  constexpr uid_t kNobody = 65534;
  const test::TemporaryFolder folder;
  const std::string file = folder.write(".winadmit.yaml", "exclude: ['*']\n");
  const std::string pod = (folder / "pod.yaml").string();
  if (::chown(file.c_str(), kNobody, kNobody) != 0) GTEST_SKIP() << "only root gives files away";
  EXPECT_THROW(Projects().of(pod), ProjectError);
  EXPECT_EQ(::chown(folder.path().c_str(), kNobody, kNobody), 0);
  EXPECT_EQ(Projects().of(pod).exclude.front(), "*") << "it is in a folder of its owner";
}

TEST(Projects, AreNotMissedByAnotherExtension) {
  const test::TemporaryFolder folder;
  std::filesystem::create_directory(folder / "a");
  folder.write(".winadmit.yml", "exclude: [x]\n");
  EXPECT_THROW(Projects().of((folder / "a/pod.yaml").string()), ProjectError);
  EXPECT_NO_THROW(Projects(false).of((folder / "a/pod.yaml").string()));
}

TEST(Projects, AreNotSkippedIfTheyAreNoFiles) {
  const test::TemporaryFolder folder;
  std::filesystem::create_directory(folder / "a");
  std::filesystem::create_directory(folder / "a/.winadmit.yaml");
  std::filesystem::create_symlink("nowhere", folder / ".winadmit.yaml");
  Projects projects;
  for (const char* name : {"pod.yaml", "a/pod.yaml"})
    EXPECT_THROW(projects.of((folder / name).string()), ProjectError) << name;
}

}  // namespace
}  // namespace winadmit::cli
