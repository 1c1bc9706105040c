// The binary as a user calls it.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "tests/temporary_folder.hpp"
#include "tests/test_data.hpp"

namespace winadmit::test {

struct Result {
  int exit_code = -1;
  std::string out;
  std::string err;
};

/// Whether there is a pseudo-terminal: a container without /dev/pts has none.
inline bool has_terminal() {
  return std::system("script -qec true /dev/null </dev/null >/dev/null 2>&1") == 0;
}

/// The folder of the captured reviews that the documentation uses.
inline const std::string kSamples = source("samples/").string();

class Binary : public testing::Test {
 protected:
  /// `ENVIRONMENT winadmit ARGUMENTS <INPUT`, through a shell.
  Result run(const std::string& arguments, const std::string& environment = "",
             const std::string& input = "/dev/null") const {
    const auto out = folder_ / "out", err = folder_ / "err";
    const std::string command = environment + " timeout 60 " + test::binary() + " " + arguments +
                                " >" + out.string() + " 2>" + err.string() + " <" + input;
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(out), read(err)};
  }

  std::string write(const std::string& name, const std::string& text) const {
    return folder_.write(name, text);
  }

  const TemporaryFolder folder_;
};

}  // namespace winadmit::test
