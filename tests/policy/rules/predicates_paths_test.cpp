#include "policy/rules/predicates_paths.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/policy/rules/matches.hpp"

namespace winadmit {
namespace {

using test::matches;

TEST(PredicatesOfPaths, MatchTheirValuesOnly) {
  const test::ValueCase cases[] = {
      {"the root of C:", root_of_c, R"("C:\\")", true},
      {"the root", root_of_c, R"("/")", true},
      {"the root of c: with a slash", root_of_c, R"("c:/")", true},
      {"a root with two separators", root_of_c, R"("C:\\\\")", true},
      {"two slashes", root_of_c, R"("//")", true},
      {"this folder of the root", root_of_c, R"("C:\\.")", true},
      {"the parent of a folder of the root", root_of_c, R"("C:\\a\\..")", true},
      {"above the root", root_of_c, R"("/../.")", true},
      {"a folder in the root", root_of_c, R"("C:\\..\\a")", false},
      {"a hidden folder", root_of_c, R"("/.a")", false},
      {"a drive alone", root_of_c, R"("C:")", false},
      {"a folder relative to a drive", root_of_c, R"("C:.")", false},
      {"the root of another drive", root_of_c, R"("D:\\")", false},
      {"an empty path", root_of_c, R"("")", false},
      {"a path of Linux", linux_path, R"("/proc")", true},
      {"below a path of Linux", linux_path, R"("/sys/fs/cgroup")", true},
      {"a longer name", linux_path, R"("/process")", false},
      {"a path of the kubelet", linux_path, R"("/var/lib/kubelet")", false},
      {"a path with a drive", linux_path, R"("C:/proc")", false},
      {"a relative path", linux_path, R"("proc")", false},
      {"an absolute path in a volume", leaves_volume, R"("C:\\a")", true},
      {"with a slash", leaves_volume, R"("c:/a")", true},
      {"the parent", leaves_volume, R"("..")", true},
      {"a parent in between", leaves_volume, R"("a\\../b")", true},
      {"a folder of the volume", leaves_volume, R"("a\\b")", false},
      {"names with dots", leaves_volume, R"("..a\\b..")", false},
      {"relative to a drive", leaves_volume, R"("C:a")", false},
      {"no drive", leaves_volume, R"("1:\\a")", false},
      {"no path", leaves_volume, R"("")", false},
      {"a Linux shell", starts_linux_program, R"(["/bin/sh"])", true},
      {"a Linux program as an argument", starts_linux_program, R"(["cmd", "/bin/sh"])", false},
      {"a program of the image", starts_linux_program, R"(["/binary"])", false},
      {"no command", starts_linux_program, "[]", false},
      {"a command of another type", starts_linux_program, "[1]", false},
  };
  test::expect_matches(cases);
}

TEST(PredicatesOfPaths, MatchAMountOfANamedPipeInAHostProcessPod) {
  const auto pod = [](std::string_view host_process) {
    return R"({"volumes": [{"name": "pipe", "hostPath": {"path": "\\\\.\\pipe\\a"}},
                           {"name": "dir", "hostPath": {"path": "C:\\pipe\\a"}}, {}, 1],
               "containers": [{}], "securityContext": {"windowsOptions": {"hostProcess": )" +
           std::string(host_process) + "}}}";
  };
  EXPECT_TRUE(matches(names_a_pipe_of_host_process, R"("pipe")", pod("true")));
  EXPECT_FALSE(matches(names_a_pipe_of_host_process, R"("dir")", pod("true")));
  EXPECT_FALSE(matches(names_a_pipe_of_host_process, R"("other")", pod("true")));
  EXPECT_FALSE(matches(names_a_pipe_of_host_process, R"("pipe")", pod("false")));
}

}  // namespace
}  // namespace winadmit
