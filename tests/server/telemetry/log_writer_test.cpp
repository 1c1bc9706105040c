// Log lines to a pipe whose reader is slow, stops reading or closes it.
#include "server/telemetry/log_writer.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spdlog/logger.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <string>

#include "tests/eventually.hpp"

namespace winadmit::server {
namespace {

class LogWriterTest : public testing::Test {
 protected:
  LogWriterTest() {
    std::signal(SIGPIPE, SIG_IGN);
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    read_end_ = ends[0];
    write_end_ = ends[1];
    writer_ = std::make_shared<LogWriter>(write_end_, lost_,
                                          [](std::uint64_t count) { reported_ += count; });
    logger_ = std::make_shared<spdlog::logger>("test", writer_);
    logger_->set_pattern("%v");
  }

  ~LogWriterTest() override {
    close_read_end();
    writer_->wait();
    ::close(write_end_);
  }

  void log(int lines) {
    for (int i = 0; i < lines; ++i) logger_->info(std::string(99, 'x'));
  }

  /// Reads until `count` lines have been written or lost.
  void read_until(std::uint64_t count) {
    ::fcntl(read_end_, F_SETFL, O_NONBLOCK);
    test::eventually([&] {
      char some[4096];
      ssize_t size;
      while ((size = ::read(read_end_, some, sizeof some)) > 0)
        read_ += static_cast<std::uint64_t>(std::count(some, some + size, '\n'));
      return read_ + lost_ >= count;
    });
    writer_->wait();
  }

  void close_read_end() {
    if (read_end_ >= 0) ::close(read_end_);
    read_end_ = -1;
  }

  // Static: the thread of the writer may outlive a failed test.
  static inline std::atomic<std::uint64_t> lost_;
  static inline std::atomic<std::uint64_t> reported_;
  std::uint64_t read_ = 0;
  int read_end_ = -1;
  int write_end_ = -1;
  std::shared_ptr<LogWriter> writer_;
  std::shared_ptr<spdlog::logger> logger_;

  void SetUp() override { lost_ = reported_ = 0; }
};

TEST_F(LogWriterTest, WritesEachLineInItsOrder) {
  for (int i = 0; i < 10; ++i) logger_->info(std::to_string(i));
  writer_->wait();
  char some[100];
  const ssize_t size = ::read(read_end_, some, sizeof some);
  ASSERT_GT(size, 0);
  EXPECT_EQ(std::string(some, static_cast<std::size_t>(size)), "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n");
}

TEST_F(LogWriterTest, WritesALineWithoutAFlush) {
  log(1);
  read_until(1);
  EXPECT_EQ(read_, 1U);
}

TEST_F(LogWriterTest, CountsAndReportsLinesThatDoNotFitIntoAFullPipe) {
  log(20'000);  // 2 MB; it must return while the pipe is full
  EXPECT_GT(lost_, 20'000U - 2 * LogWriter::kCapacity / 100 - 65'536 / 100);
  EXPECT_LT(lost_, 20'000U - LogWriter::kCapacity / 100 + 1);
  EXPECT_EQ(reported_, 0U) << "the pipe is full";
  read_until(20'000);
  EXPECT_EQ(read_ + lost_, 20'000U);
  log(1);
  read_until(20'001);
  EXPECT_EQ(read_ + lost_, 20'001U) << "lines are written again";
  EXPECT_EQ(reported_, lost_);
}

TEST_F(LogWriterTest, CountsEveryLineAfterThePipeIsClosed) {
  close_read_end();
  log(50);
  writer_->wait();
  EXPECT_EQ(lost_, 50U);
  EXPECT_EQ(reported_, 0U);
}

TEST_F(LogWriterTest, WaitsForRoomInANonBlockingPipe) {
  ::fcntl(write_end_, F_SETFL, O_NONBLOCK);
  log(2'000);  // 200 KB, three times the capacity of the pipe
  read_until(2'000);
  EXPECT_EQ(read_, 2'000U);
  EXPECT_EQ(lost_, 0U);
}

/// Limits the size of a file for a while, as on a full disk.
TEST(LogWriter, StartsANewLineAfterACutOne) {
  char name[] = "/tmp/winadmit-log-XXXXXX";
  const int file = ::mkstemp(name);
  ASSERT_GE(file, 0);
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  static std::atomic<std::uint64_t> lost;
  {
    const auto writer = std::make_shared<LogWriter>(file, lost, [](std::uint64_t) {});
    spdlog::logger logger("test", writer);
    logger.set_pattern("%v");
    const rlimit little{.rlim_cur = 10, .rlim_max = before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &little);
    logger.info("first");
    logger.info("second");
    writer->wait();
    logger.info("lost");
    writer->wait();
    ::setrlimit(RLIMIT_FSIZE, &before);
    logger.info("third");
    writer->wait();
  }
  std::ifstream in(name);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(text, "first\nseco\nthird\n");
  EXPECT_EQ(lost, 2U) << "the cut line and the next one, each once";
  ::close(file);
  ::unlink(name);
}

TEST_F(LogWriterTest, WritesWaitingLinesOnDestruction) {
  log(3);
  logger_.reset();
  writer_.reset();
  std::string text;
  char byte = 0;
  while (std::ranges::count(text, '\n') < 3 && ::read(read_end_, &byte, 1) == 1) text += byte;
  EXPECT_EQ(text.size(), 300U);
  writer_ = std::make_shared<LogWriter>(write_end_, lost_, nullptr);
}

}  // namespace
}  // namespace winadmit::server
