#include "bytes/input_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <thread>

#include "bytes/error.hpp"
#include "bytes/files.hpp"
#include "tests/error_of.hpp"
#include "tests/temporary_folder.hpp"

namespace winadmit {
namespace {

using namespace std::chrono_literals;

class InputFileTest : public testing::Test {
 protected:
  std::string make_pipe() const {
    std::string path = (folder_ / "pipe").string();
    EXPECT_EQ(::mkfifo(path.c_str(), 0600), 0);
    return path;
  }

  const test::TemporaryFolder folder_;
};

TEST_F(InputFileTest, ReadsAFile) {
  const std::string text("kind: Pod\r\n\0end", 15);
  EXPECT_EQ(InputFile(folder_.write("pod.yaml", text)).read_all(100), text);
  EXPECT_THROW(InputFile(folder_ / "missing.yaml"), Error);
}

TEST_F(InputFileTest, RefusesALargerFile) {
  EXPECT_EQ(test::error_of([] { InputFile("/dev/zero").read_all(100); }),
            "/dev/zero is larger than 100 bytes");
}

TEST_F(InputFileTest, RefusesANamedPipeWithoutAWriter) {
  const std::string pipe = make_pipe();
  EXPECT_EQ(test::error_of([&] { InputFile(pipe, 50ms); }),
            "cannot read " + pipe + ": no process writes to this pipe");
}

TEST_F(InputFileTest, WaitsForTheWriterOfANamedPipeAndForWhatItWrites) {
  const std::string pipe = make_pipe();
  std::thread writer([&] {
    std::this_thread::sleep_for(50ms);
    const int out = ::open(pipe.c_str(), O_WRONLY | O_CLOEXEC);
    std::this_thread::sleep_for(50ms);
    EXPECT_TRUE(write_all(out, "kind: Pod\n").empty());
    ::close(out);
  });
  EXPECT_EQ(InputFile(pipe, 60s).read_all(100), "kind: Pod\n");
  writer.join();
}

TEST_F(InputFileTest, TakesTheEndOfAWriterThatWritesNothingForTheEnd) {
  const std::string pipe = make_pipe();
  std::thread writer([&] { ::close(::open(pipe.c_str(), O_WRONLY | O_CLOEXEC)); });
  EXPECT_EQ(InputFile(pipe, 60s).read_all(100), "");
  writer.join();
}

/// As of <(true) in a shell.
TEST_F(InputFileTest, DoesNotWaitForTheWriterOfAPipeWithoutAName) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
  ::close(ends[1]);
  EXPECT_EQ(InputFile("/dev/fd/" + std::to_string(ends[0]), 60s).read_all(100), "");
  ::close(ends[0]);
}

}  // namespace
}  // namespace winadmit
