// Files that break readers. Each is one error of one line, and the next file is judged.
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/cli/binary.hpp"

namespace winadmit {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLevels = 100'000;

std::string repeated(const std::string& text, std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

/// Each line has ten times the values of the one before.
std::string billion_laughs() {
  std::string text = "a0: &a0 [lol]\n";
  for (int i = 1; i < 10; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before +
            repeated("," + before, 9) + "]\n";
  }
  return text;
}

struct HostileFile {
  std::string name;
  std::string text;
};

std::vector<HostileFile> hostile_files() {
  const std::string head = "apiVersion: v1\nkind: Pod\n";
  return {
      {"laughs.yaml", head + billion_laughs()},
      {"self.yaml", head + "metadata: &a {name: *a}\n"},
      {"deep-flow.yaml", head + "x: " + repeated("[", kLevels) + repeated("]", kLevels) + '\n'},
      {"deep-block.yaml", head + "x:\n  " + repeated("- ", kLevels) + "a\n"},
      {"deep.json", repeated(R"({"a":)", kLevels) + "1" + repeated("}", kLevels)},
      {"long-line.yaml", head + "x: " + std::string(20'000'000, 'a') + '\n'},
      {"tabs.yaml", head + "metadata:\n\tname: a\n"},
      {"utf-16.yaml",
       {"\xFF\xFE"
        "a\0:\0 \0b\0\n\0",
        12}},
      {"nul.yaml", head + std::string("x: a\0b\n", 7)},
      {"latin-1.yaml", head + "x: \xE9\n"},
      {"unclosed.yaml", head + "x: 'a\n"},
      {"twice.json", R"({"apiVersion": "v1", "kind": "Pod", "kind": "Job"})"},
  };
}

class HostileFiles : public test::Binary {
 protected:
  /// Checks the file, and then a pod that is refused.
  void check(const std::string& file) const {
    SCOPED_TRACE(file);
    const test::Result result = run("check -q " + file + ' ' + pod_);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err.substr(0, 1000);
    EXPECT_LT(result.err.size(), 1000U);
    EXPECT_NE(result.err.find(file), std::string::npos) << result.err.substr(0, 1000);
    EXPECT_NE(result.out.find("(host-pid)"), std::string::npos) << result.out.substr(0, 1000);
  }

  const std::string pod_ = write("pod.yaml",
                                 "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n"
                                 "spec: {nodeSelector: {kubernetes.io/os: windows}, hostPID: true, "
                                 "containers: [{name: a, image: a}]}\n");
};

TEST_F(HostileFiles, AreOneErrorAndTheNextFileIsJudged) {
  for (const HostileFile& each : hostile_files()) check(write(each.name, each.text));
}

TEST_F(HostileFiles, MayBeNoFiles) {
  const std::string pipe = (folder_ / "pipe.yaml").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const fs::path circle = folder_ / "circle.yaml";
  fs::create_symlink(circle, circle);
  for (const std::string& file :
       {pipe, circle.string(), std::string("/dev/zero"), (folder_ / "missing.yaml").string()}) {
    check(file);
  }
}

TEST_F(HostileFiles, ThatAreOnlyUnusualAreRead) {
  const std::string object = "kind: Pod\r\nmetadata: {name: b}\r\n";
  const std::string unusual = write("unusual.yaml",
                                    "\xEF\xBB\xBF"
                                    "apiVersion: v1\r\n" +
                                        object +
                                        "spec: {nodeSelector: {kubernetes.io/os: windows}, "
                                        "hostIPC: true, containers: [{name: a, image: a}]}");
  const test::Result result = run("check -q " + unusual + ' ' + pod_);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.err, "");
  EXPECT_NE(result.out.find("(host-ipc)"), std::string::npos) << result.out;
}

}  // namespace
}  // namespace winadmit
