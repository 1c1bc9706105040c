// Exceptions in coroutines and handlers.
#include "server/transport/spawn.hpp"

#include <gtest/gtest.h>

#include <boost/asio/post.hpp>
#include <stdexcept>

#include "server/telemetry/log.hpp"

namespace winadmit::server {
namespace {

/// Fails in the second turn of the loop.
Task<void> fail(asio::io_context& loop) {
  co_await asio::post(loop, use_task);
  throw std::runtime_error("failed");
}

Task<void> finish(asio::io_context& loop, int& finished) {
  for (int i = 0; i < 3; ++i) co_await asio::post(loop, use_task);
  ++finished;
}

struct Spawn : testing::Test {
  Spawn() { set_up_logging(spdlog::level::off, LogFormat::json); }
  asio::io_context loop;
  Counter internal_errors;
  int finished = 0;
  int failures = 0;
};

TEST_F(Spawn, CountsAnExceptionOfAConnectionTaskAndEndsOnlyThatTask) {
  spawn_connection_task(loop, finish(loop, finished), internal_errors);
  spawn_connection_task(loop, fail(loop), internal_errors);
  spawn_connection_task(loop, finish(loop, finished), internal_errors);
  loop.run();
  EXPECT_EQ(internal_errors.value(), 1U);
  EXPECT_EQ(finished, 2);
}

TEST_F(Spawn, ReportsAnExceptionOfAServerTaskOnce) {
  spawn_server_task(loop, "failing", fail(loop), [this] { ++failures; });
  spawn_server_task(loop, "finishing", finish(loop, finished), [this] { ++failures; });
  loop.run();
  EXPECT_EQ(failures, 1);
  EXPECT_EQ(finished, 1);
}

TEST_F(Spawn, RunsTheLoopOnAfterAnExceptionOfAHandler) {
  asio::post(loop, [] { throw std::runtime_error("failed"); });
  asio::post(loop, [this] { ++finished; });
  run_loop(loop, internal_errors);
  EXPECT_EQ(internal_errors.value(), 1U);
  EXPECT_EQ(finished, 1);
}

TEST_F(Spawn, LogsWhichTaskFailedAndWhy) {
  testing::internal::CaptureStdout();
  set_up_logging(spdlog::level::info, LogFormat::json);
  spawn_server_task(loop, "failing", fail(loop), [] {});
  spawn_connection_task(loop, fail(loop), internal_errors);
  loop.run();
  flush_log();
  const std::string text = testing::internal::GetCapturedStdout();
  set_up_logging(spdlog::level::off, LogFormat::json);
  EXPECT_NE(text.find(R"("msg":"background task failed","task":"failing","error":"failed")"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(R"("msg":"connection closed by an unhandled exception","error":"failed")"),
            std::string::npos)
      << text;
}

TEST_F(Spawn, LogsWhatAHandlerThrew) {
  testing::internal::CaptureStdout();
  set_up_logging(spdlog::level::info, LogFormat::json);
  asio::post(loop, [] { throw std::runtime_error("failed"); });
  asio::post(loop, [] { throw 1; });
  run_loop(loop, internal_errors);
  flush_log();
  const std::string text = testing::internal::GetCapturedStdout();
  set_up_logging(spdlog::level::off, LogFormat::json);
  for (const std::string error : {"failed", "unknown exception"}) {
    EXPECT_NE(text.find(R"("msg":"unhandled exception in an event loop","error":")" + error + '"'),
              std::string::npos)
        << text;
  }
}

}  // namespace
}  // namespace winadmit::server
