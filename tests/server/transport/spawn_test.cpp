// What becomes of an exception in a coroutine.
#include "server/transport/spawn.hpp"

#include <gtest/gtest.h>

#include <boost/asio/post.hpp>
#include <stdexcept>

#include "server/telemetry/log.hpp"

namespace winadmit::server {
namespace {

/// Waits for a turn of the loop, so that it fails while the loop runs it.
Task<void> fail(asio::io_context& loop) {
  co_await asio::post(loop, use_task);
  throw std::runtime_error("a fault");
}

Task<void> finish(asio::io_context& loop, int& finished) {
  for (int i = 0; i < 3; ++i) co_await asio::post(loop, use_task);
  ++finished;
}

struct Spawn : testing::Test {
  Spawn() { set_up_logging(spdlog::level::off, LogFormat::json); }
  asio::io_context loop;
  Counter faults;
  int finished = 0;
  int failures = 0;
};

TEST_F(Spawn, CountsAnExceptionOfAClientsTaskAndEndsThatTaskAlone) {
  spawn_connection_task(loop, finish(loop, finished), faults);
  spawn_connection_task(loop, fail(loop), faults);
  spawn_connection_task(loop, finish(loop, finished), faults);
  loop.run();
  EXPECT_EQ(faults.value(), 1U);
  EXPECT_EQ(finished, 2);
}

TEST_F(Spawn, ReportsAnExceptionOfAServersTaskOnce) {
  spawn_server_task(loop, "failing", fail(loop), [this] { ++failures; });
  spawn_server_task(loop, "finishing", finish(loop, finished), [this] { ++failures; });
  loop.run();
  EXPECT_EQ(failures, 1);
  EXPECT_EQ(finished, 1);
}

TEST_F(Spawn, LogsWhichTaskFailedAndWhy) {
  testing::internal::CaptureStdout();
  set_up_logging(spdlog::level::info, LogFormat::json);
  spawn_server_task(loop, "failing", fail(loop), [] {});
  spawn_connection_task(loop, fail(loop), faults);
  loop.run();
  flush_log();
  const std::string text = testing::internal::GetCapturedStdout();
  set_up_logging(spdlog::level::off, LogFormat::json);
  EXPECT_NE(text.find(R"("msg":"background task failed","task":"failing","error":"a fault")"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(R"("msg":"connection closed by an unhandled exception","error":"a fault")"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace winadmit::server
