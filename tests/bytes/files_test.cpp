#include "bytes/files.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "bytes/error.hpp"
#include "tests/temporary_folder.hpp"

namespace winadmit {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  fs::perms mode(const char* name) const { return fs::status(folder_ / name).permissions(); }

  const test::TemporaryFolder folder_;
};

TEST_F(Files, KeysAreReadableByTheirOwnerOnly) {
  write_file(folder_ / "tls.key", "secret", Readers::owner);
  write_file(folder_ / "tls.crt", "public", Readers::everyone);
  EXPECT_EQ(mode("tls.key"), fs::perms(0600));
  EXPECT_EQ(mode("tls.crt"), fs::perms(0644));
  EXPECT_EQ(read_file(folder_ / "tls.key"), "secret");
}

TEST_F(Files, ReplacesTheMode) {
  write_file(folder_ / "tls.key", "old", Readers::everyone);
  write_file(folder_ / "tls.key", "new", Readers::owner);
  EXPECT_EQ(mode("tls.key"), fs::perms(0600));
  EXPECT_EQ(read_file(folder_ / "tls.key"), "new");
}

TEST_F(Files, KeepsASymbolicLinkToAFile) {
  folder_.write("real", "old");
  fs::create_symlink("real", folder_ / "tls.crt");
  write_file(folder_ / "tls.crt", "new", Readers::everyone);
  EXPECT_TRUE(fs::is_symlink(folder_ / "tls.crt"));
  EXPECT_EQ(read_file(folder_ / "real"), "new");
}

TEST_F(Files, FollowsSymbolicLinksToAFileThatIsNew) {
  fs::create_directory(folder_ / "data");
  fs::create_symlink("data/real", folder_ / "second");
  fs::create_symlink(folder_ / "second", folder_ / "first");
  write_file(folder_ / "first", "new", Readers::everyone);
  EXPECT_TRUE(fs::is_symlink(folder_ / "first"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "second"));
  EXPECT_EQ(read_file(folder_ / "data" / "real"), "new");
  fs::create_symlink("circle", folder_ / "circle");
  EXPECT_THROW(write_file(folder_ / "circle", "new", Readers::everyone), Error);
}

TEST_F(Files, KeepsTheModeOfAFileAsBefore) {
  folder_.write("pod.yaml", "old");
  fs::permissions(folder_ / "pod.yaml", fs::perms(0640));
  write_file(folder_ / "pod.yaml", "new", Readers::as_before);
  write_file(folder_ / "new.yaml", "new", Readers::as_before);
  EXPECT_EQ(mode("pod.yaml"), fs::perms(0640));
  EXPECT_EQ(mode("new.yaml"), fs::perms(0644));
}

TEST_F(Files, WritesAFileWithSeveralHardLinksInPlace) {
  for (const std::string text : {"a longer text", "new", ""}) {
    folder_.write("pod.yaml", "content");
    fs::create_hard_link(folder_ / "pod.yaml", folder_ / "linked.yaml");
    write_file(folder_ / "pod.yaml", text, Readers::as_before);
    EXPECT_EQ(read_file(folder_ / "linked.yaml"), text);
    EXPECT_EQ(fs::hard_link_count(folder_ / "pod.yaml"), 2U);
    write_file(folder_ / "pod.yaml", "key", Readers::owner);
    EXPECT_EQ(read_file(folder_ / "linked.yaml"), text)
        << "others do not get what is for the owner";
    fs::remove(folder_ / "linked.yaml");
  }
}

TEST_F(Files, KeepsAttributesOfUsers) {
  const std::string file = folder_.write("pod.yaml", "content");
  if (::setxattr(file.c_str(), "user.owner", "shop", 4, 0) != 0)
    GTEST_SKIP() << "the file system has no attributes";
  write_file(file, "new", Readers::as_before);
  char value[4] = {};
  EXPECT_EQ(::getxattr(file.c_str(), "user.owner", value, sizeof(value)), 4);
  EXPECT_EQ(read_file(file), "new");
}

TEST_F(Files, LeavesNoTemporaryFileIfASignalEndsTheProgram) {
  const std::string text(std::size_t{1} << 20U, 'x');
  for (int i = 0; i < 20; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      while (true) write_file(folder_ / "pod.yaml", text, Readers::as_before);
    }
    ::usleep(20'000);
    ::kill(child, SIGTERM);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status));
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()), 1);
}

TEST_F(Files, HaveAnotherVersionAfterTheyWereWrittenOrReplaced) {
  const fs::path file = folder_ / "pod.yaml";
  EXPECT_EQ(version_of(file), FileVersion{});
  write_file(file, "content", Readers::everyone);
  const FileVersion version = version_of(file);
  EXPECT_EQ(version_of(file), version);
  write_file(file, "another", Readers::everyone);
  EXPECT_NE(version_of(file), version) << "it was replaced by one of the same size";
  const FileVersion replaced = version_of(file);
  std::ofstream(file, std::ios::app) << "more";
  EXPECT_NE(version_of(file), replaced);
}

/// Is nobody, if it was root, for whom no folder is read-only.
class WithoutPrivileges {
 public:
  WithoutPrivileges() : user_(::geteuid()) {
    EXPECT_EQ(::seteuid(user_ == 0 ? kNobody : user_), 0);
  }
  ~WithoutPrivileges() { EXPECT_EQ(::seteuid(user_), 0); }
  WithoutPrivileges(const WithoutPrivileges&) = delete;
  WithoutPrivileges& operator=(const WithoutPrivileges&) = delete;

 private:
  static constexpr uid_t kNobody = 65534;
  uid_t user_;
};

TEST_F(Files, WritesAFileOfAReadOnlyFolderInPlace) {
  const fs::path folder = folder_ / "read-only";
  fs::create_directory(folder);
  const fs::path file = folder / "pod.yaml";
  std::ofstream(file) << "content";
  fs::permissions(file, fs::perms(0666));
  fs::permissions(folder, fs::perms(0555));
  fs::permissions(folder_.path(), fs::perms(0755));
  {
    const WithoutPrivileges nobody;
    write_file(file, "new", Readers::as_before);
    EXPECT_THROW(write_file(file, "key", Readers::owner), Error) << "others could read it";
    EXPECT_THROW(write_file(folder / "new.yaml", "new", Readers::as_before), Error);
  }
  fs::permissions(folder, fs::perms(0755));
  EXPECT_EQ(read_file(file), "new");
}

TEST_F(Files, LeavesNoFileBehindIfItCannotWrite) {
  fs::create_directory(folder_ / "tls.key");
  EXPECT_THROW(write_file(folder_ / "tls.key", "x", Readers::owner), Error);
  EXPECT_THROW(write_file(folder_ / "missing" / "tls.key", "x", Readers::owner), Error);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()), 1);
}

TEST_F(Files, ErrorsNameTheFileAndTheReason) {
  const auto error_of = [](const fs::path& file) -> std::string {
    try {
      read_file(file);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(error_of("/nowhere/tls.crt"),
            "cannot read /nowhere/tls.crt: No such file or directory");
  EXPECT_EQ(error_of(folder_.path()), folder_.path().string() + " is a directory, not a file");
}

}  // namespace
}  // namespace winadmit
