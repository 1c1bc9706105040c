// Symbolic links among the files of `winadmit check` and `winadmit fix`: who commits a link may not
// decide what is read or written elsewhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "tests/cli/binary.hpp"
#include "tests/cli/unplaced_pod.hpp"

namespace winadmit {
namespace {

namespace fs = std::filesystem;
using test::kUnplacedPod;

class Links : public test::Binary {
 protected:
  Links() {
    fs::create_directories(folder_ / "repo/in");
    fs::create_directory(folder_ / "outside");
    for (const char* name : {"other", "b", "c", "d"})
      write("outside/" + std::string(name) + ".yaml", kUnplacedPod);
    write("repo/plain.yaml", kUnplacedPod);
  }

  void link(const std::string& name, const std::string& target) const {
    fs::create_symlink(target, folder_ / "repo" / name);
  }

  test::Result in_repo(const std::string& arguments) const {
    return run(arguments, "cd " + (folder_ / "repo").string() + " &&");
  }

  bool is_outside_unchanged() const {
    return std::ranges::all_of(fs::directory_iterator(folder_ / "outside"), [](const auto& each) {
      return test::read(each.path()) == kUnplacedPod;
    });
  }
};

TEST_F(Links, OutOfAFolderAreNotWrittenThrough) {
  link("direct.yaml", "../outside/other.yaml");
  link("chain-end", "../outside/b.yaml");
  link("in/chain.yaml", "../chain-end");
  link("through.yaml", "in/up/outside/c.yaml");
  fs::create_directory_symlink("../..", folder_ / "repo/in/up");
  link("absolute.yaml", (folder_ / "outside/d.yaml").string());
  for (const char* mode : {"--check", "--diff", "--in-place"}) {
    const auto fixed = in_repo(std::string("fix -R ") + mode + " .");
    EXPECT_EQ(fixed.out.find("outside"), std::string::npos) << fixed.out;
    for (const char* name : {"direct", "in/chain", "through", "absolute"}) {
      EXPECT_NE(fixed.err.find(std::string(name) + ".yaml: is a link out of the folder"),
                std::string::npos)
          << mode << ' ' << fixed.err;
    }
  }
  EXPECT_TRUE(is_outside_unchanged());
  EXPECT_NE(test::read(folder_ / "repo/plain.yaml"), kUnplacedPod) << "the others are fixed";
  EXPECT_EQ(in_repo("fix -R --in-place .").exit_code, 0);
}

TEST_F(Links, OutOfAFolderAreFollowedIfTheyAreNamed) {
  link("named.yaml", "../outside/other.yaml");
  EXPECT_EQ(in_repo("fix --check . named.yaml").err.find("is a link"), std::string::npos);
  EXPECT_EQ(in_repo("fix --in-place named.yaml").exit_code, 0);
  EXPECT_FALSE(is_outside_unchanged());
  EXPECT_TRUE(fs::is_symlink(folder_ / "repo/named.yaml"));
}

TEST_F(Links, InAFolderAreFollowed) {
  write("repo/in/target.txt", kUnplacedPod);
  link("inside.yaml", "in/../in/target.txt");
  EXPECT_EQ(in_repo("fix --in-place .").exit_code, 0);
  EXPECT_NE(test::read(folder_ / "repo/in/target.txt"), kUnplacedPod);
  fs::create_directory_symlink("repo", folder_ / "named");
  const auto named = run("fix --check named", "cd " + folder_.path().string() + " &&");
  EXPECT_EQ(named.exit_code, 0) << named.out << named.err << "a folder by a link is that folder";
}

TEST_F(Links, OutOfAFolderAreReadAsKubectlDoesUnlessTheyAreUntrusted) {
  link("link.yaml", "../outside/other.yaml");
  const auto trusted = in_repo("check -o json .");
  EXPECT_NE(trusted.out.find("\"objects\": 2"), std::string::npos) << trusted.out;
  EXPECT_NE(in_repo("fix .").out.find("link.yaml"), std::string::npos)
      << "what is printed is all that kubectl would create";
  for (const char* command : {"check --untrusted .", "check --untrusted link.yaml",
                              "fix --check --untrusted .", "fix --untrusted ."}) {
    const auto untrusted = in_repo(command);
    EXPECT_EQ(untrusted.exit_code, 2) << command;
    EXPECT_NE(untrusted.err.find("link.yaml: is a link out of " + (folder_ / "repo").string()),
              std::string::npos)
        << command << untrusted.err;
  }
}

TEST_F(Links, OfAFolderInThePathOfAnUntrustedFileAreFollowedInItsTreeOnly) {
  fs::create_directories(folder_ / "outside/deep");
  write("outside/deep/pod.yaml", kUnplacedPod);
  fs::create_directory_symlink("../outside", folder_ / "repo/out");
  EXPECT_EQ(in_repo("check --untrusted out/deep/pod.yaml").exit_code, 2);
  EXPECT_EQ(in_repo("check --untrusted out").exit_code, 2);
  fs::create_directory(folder_ / "repo/.git");
  EXPECT_EQ(in_repo("check --untrusted out/deep/pod.yaml").exit_code, 2);
  fs::create_directory(folder_ / "repo/shared");
  write("repo/shared/pod.yaml", kUnplacedPod);
  link("in/shared.yaml", "../shared/pod.yaml");
  EXPECT_EQ(in_repo("check --untrusted in").exit_code, 0) << "it is in the same repository";
}

TEST_F(Links, ToWhatIsNoFileAreErrors) {
  link("zero.yaml", "/dev/zero");
  link("stdin.yaml", "/dev/stdin");
  for (const char* command : {"check .", "check --untrusted .", "fix --in-place ."}) {
    const auto result = in_repo(command);
    EXPECT_EQ(result.exit_code, 2) << command;
    EXPECT_NE(result.err.find("zero.yaml: is not a regular file"), std::string::npos) << result.err;
  }
}

}  // namespace
}  // namespace winadmit
