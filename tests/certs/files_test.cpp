#include "certs/files.hpp"

#include <gtest/gtest.h>

#include "certs/pair.hpp"

namespace winadmit::certs {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  Files() {
    std::string name = (fs::temp_directory_path() / "winadmit-files-XXXXXX").string();
    root_ = mkdtemp(name.data());
  }
  ~Files() override { fs::remove_all(root_); }

  fs::perms mode(const char* name) const { return fs::status(root_ / name).permissions(); }

  fs::path root_;
};

TEST_F(Files, AKeyIsItsOwnersAlone) {
  write_file(root_ / "tls.key", "secret", Readers::owner);
  write_file(root_ / "tls.crt", "public", Readers::everyone);
  EXPECT_EQ(mode("tls.key"), fs::perms(0600));
  EXPECT_EQ(mode("tls.crt"), fs::perms(0644));
  EXPECT_EQ(read_file(root_ / "tls.key"), "secret");
}

TEST_F(Files, ReplacesWhateverModeWasThere) {
  write_file(root_ / "tls.key", "old", Readers::everyone);
  write_file(root_ / "tls.key", "new", Readers::owner);
  EXPECT_EQ(mode("tls.key"), fs::perms(0600));
  EXPECT_EQ(read_file(root_ / "tls.key"), "new");
}

TEST_F(Files, LeavesNothingBehindWhereItCannotWrite) {
  fs::create_directory(root_ / "tls.key");
  EXPECT_THROW(write_file(root_ / "tls.key", "x", Readers::owner), Error);
  EXPECT_THROW(write_file(root_ / "missing" / "tls.key", "x", Readers::owner), Error);
  EXPECT_EQ(std::distance(fs::directory_iterator(root_), fs::directory_iterator()), 1);
}

}  // namespace
}  // namespace winadmit::certs
