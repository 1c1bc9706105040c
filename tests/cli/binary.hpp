// The binary as a user calls it.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/test_data.hpp"

namespace winadmit::test {

struct Result {
  int exit_code = -1;
  std::string out;
  std::string err;
};

/// With a folder of its own, which goes with it.
class Binary : public testing::Test {
 protected:
  Binary() {
    std::string name = (std::filesystem::temp_directory_path() / "winadmit-cli-XXXXXX").string();
    root_ = mkdtemp(name.data());
  }
  ~Binary() override { std::filesystem::remove_all(root_); }

  /// `ENVIRONMENT winadmit ARGUMENTS <INPUT`, through a shell.
  Result run(const std::string& arguments, const std::string& environment = "",
             const std::string& input = "/dev/null") const {
    const auto out = root_ / "out", err = root_ / "err";
    const std::string command = environment + " timeout 60 " + test::binary() + " " + arguments +
                                " >" + out.string() + " 2>" + err.string() + " <" + input;
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(out), read(err)};
  }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(root_ / name, std::ios::binary) << text;
    return (root_ / name).string();
  }

  std::filesystem::path root_;
};

}  // namespace winadmit::test
