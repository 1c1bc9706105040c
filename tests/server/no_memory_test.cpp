// What a lack of memory may do: the request in hand fails. The server goes on.
#include <gtest/gtest.h>
#include <simdjson.h>
#include <spdlog/sinks/null_sink.h>
#include <spdlog/spdlog.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/thread_pool.hpp>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "config/config.hpp"
#include "server/handler/handler.hpp"
#include "server/telemetry/log.hpp"
#include "server/telemetry/metrics.hpp"
#include "server/transport/connection_table.hpp"
#include "server/transport/invoke_on.hpp"
#include "server/transport/large_reviews.hpp"
#include "server/transport/limits.hpp"
#include "server/transport/listener.hpp"
#include "server/transport/spawn.hpp"
#include "tests/server/failing_allocation.hpp"
#include "tests/server/transport/requests.hpp"
#include "tests/server/transport/test_row.hpp"
#include "tests/server/transport/test_worker.hpp"

namespace winadmit::server {
namespace {

using test::for_each_failure;

struct NoMemory : testing::Test {
  NoMemory() {
    spdlog::set_default_logger(
        std::make_shared<spdlog::logger>("none", std::make_shared<spdlog::sinks::null_sink_mt>()));
  }

  /// The body must outlive the request.
  static HttpRequest post(std::string& body) {
    const std::size_t size = body.size();
    body.append(simdjson::SIMDJSON_PADDING, ' ');
    return {.method = "POST",
            .target = "/validate",
            .content_type = kJsonType,
            .body = std::string_view(body).substr(0, size)};
  }

  /// Runs a task, and returns what it throws.
  std::exception_ptr run(auto make_task) {
    std::exception_ptr thrown;
    loop.restart();
    try {
      asio::co_spawn(loop, make_task(), [&](const std::exception_ptr& error) { thrown = error; });
    } catch (const std::bad_alloc&) {
      thrown = std::current_exception();
    }
    for (bool is_done = false; !is_done;) {
      try {
        loop.run();
        is_done = true;
      } catch (const std::bad_alloc&) {
        thrown = std::current_exception();
      }
    }
    return thrown;
  }

  asio::io_context loop;  // outlives the other threads, which resume on it
  Config config;
  Policy policy{config.policy};
  Metrics metrics{"1.34"};
  ThreadMetrics& of_thread = metrics.add_thread();
  Counter errors;
};

TEST_F(NoMemory, AtAnyPointOfAReviewSpoilsNoLaterReview) {
  std::string body = test::review_with_findings("a", 5);
  const HttpRequest request = post(body);
  Handler first(policy, config.exempt, of_thread);
  const std::string expected(first.handle(request).text());
  ASSERT_NE(expected.find("\"allowed\":false"), std::string::npos);
  std::unique_ptr<Handler> handler;
  int status = 0;
  const auto make_handler = [&] {
    handler = std::make_unique<Handler>(policy, config.exempt, of_thread);
  };
  make_handler();
  for_each_failure([&] { status = handler->handle(request).status; },
                   [&] {
                     EXPECT_TRUE(status == 200 || status == 500) << status;
                     const HttpReply& again = handler->handle(request);
                     EXPECT_EQ(again.status, 200);
                     EXPECT_EQ(again.text(), expected);
                     make_handler();
                   });
  EXPECT_EQ(status, 200) << "nothing has failed in the end";
}

/// Writes log lines without memory, and expects that each counts as lost.
void lose_log_lines() {
  const std::string long_value(400, 'x');
  const std::uint64_t before = lost_log_lines();
  int failures = 0;
  for_each_failure(
      [&] {
        LogLine(spdlog::level::err, "a message that is longer than a small string")
            .with("key", long_value)
            .with("escaped", "\n")
            .with("number", 7)
            .with("error", long_value);
      },
      [&] { failures += test::FailingAllocation::has_failed() ? 1 : 0; });
  EXPECT_GT(failures, 0);
  EXPECT_EQ(lost_log_lines() - before, static_cast<std::uint64_t>(failures));
}

TEST_F(NoMemory, LosesALogLineAndThrowsNothing) { lose_log_lines(); }

TEST_F(NoMemory, LosesALogLineThatTheWriterCannotTake) {
  set_up_logging(spdlog::level::err, LogFormat::json);
  lose_log_lines();
  flush_log();
}

TEST_F(NoMemory, InACallOnAnotherThreadEndsTheCallerOnly) {
  asio::thread_pool other{1};
  std::exception_ptr thrown;
  int result = 0;
  for_each_failure(
      [&] {
        result = 0;
        thrown = run([&]() -> Task<void> {
          result =
              co_await invoke_on(other.get_executor(), [] { return *std::make_unique<int>(7); });
        });
      },
      [&] { EXPECT_EQ(result, thrown ? 0 : 7); });
  EXPECT_EQ(result, 7);
}

TEST_F(NoMemory, InALargeReviewFailsThisReviewOnly) {
  std::string body = test::review("a", kLargeBytes);
  const HttpRequest request = post(body);
  LargeReviews large(Handler(policy, config.exempt, of_thread));
  int status = 0;
  const auto handle = [&] {
    status = 0;
    return run([&]() -> Task<void> {
      const HttpReply reply = co_await large.handle(request, Clock::now() + std::chrono::hours(1));
      status = reply.status;
    });
  };
  std::exception_ptr thrown;
  for_each_failure([&] { thrown = handle(); },
                   [&] {
                     EXPECT_TRUE(thrown ? status == 0 : status == 200 || status == 500) << status;
                     EXPECT_FALSE(handle());
                     EXPECT_EQ(status, 200);
                   });
}

TEST_F(NoMemory, InATaskThatTheServerNeedsIsReported) {
  int finished = 0, failures = 0;
  bool is_spawned = false;
  const auto work = [&]() -> Task<void> {
    Timer timer(loop);
    timer.expires_after(std::chrono::milliseconds(1));
    co_await timer.async_wait(use_task);
    ++finished;
  };
  for_each_failure(
      [&] {
        finished = failures = 0;
        is_spawned = false;
        loop.restart();
        try {
          spawn_server_task(loop, "work", work(), [&] { ++failures; });
          is_spawned = true;
        } catch (const std::bad_alloc&) {
        }
        run_loop(loop, errors);
      },
      [&] { EXPECT_EQ(finished + failures, is_spawned ? 1 : 0); });
  EXPECT_EQ(finished, 1) << "nothing has failed in the end";
}

/// The task that accepts connections ends without an exception in it, and close() waits for its
/// end.
TEST_F(NoMemory, WhereConnectionsAreAcceptedLetsThePortClose) {
  test::TestWorker test;
  std::vector<std::unique_ptr<Worker>> workers;
  workers.push_back(
      std::make_unique<Worker>(test.limits, 1, test.handler(), test.metrics, test.large_reviews));
  asio::io_context& worker_loop = workers.front()->loop;
  std::unique_ptr<Listener> listener;
  const auto listen = [&] {
    listener = std::make_unique<Listener>(parse_endpoint("127.0.0.1:0"), workers,
                                          add_reference(test.context));
    worker_loop.restart();
  };
  listen();
  int failures = 0;
  for_each_failure(
      [&] {
        try {
          spawn_server_task(worker_loop, "listener", listener->accept(), [&] { ++failures; });
          worker_loop.poll();
        } catch (const std::bad_alloc&) {
        }
      },
      [&] {
        bool is_closed = false;
        asio::co_spawn(worker_loop, listener->close(),
                       [&](const std::exception_ptr&) { is_closed = true; });
        EXPECT_TRUE(test::run_until(worker_loop, [&] { return is_closed; }));
        worker_loop.restart();
        worker_loop.poll();
        listen();
      });
  EXPECT_GT(failures, 0);
}

TEST_F(NoMemory, LeavesWhatConnectionsHoldCounted) {
  Evictions evictions;
  ConnectionTable table({.connections = 8, .bytes = 100, .large_bytes = 90, .handshakes = 3},
                        evictions);
  std::unique_ptr<test::TestRow> row;
  for_each_failure(
      [&] {
        row.reset();
        try {
          row = std::make_unique<test::TestRow>(table);
          if (!row->reserve(60)) ADD_FAILURE() << "there is room";
          row->trust();
        } catch (const std::bad_alloc&) {
        }
      },
      [&] {
        EXPECT_EQ(table.size(), row ? 1U : 0U);
        EXPECT_EQ(table.bytes(), row ? 60U : 0U);
        row.reset();
        EXPECT_EQ(table.size() + table.bytes(), 0U);
      });
}

}  // namespace
}  // namespace winadmit::server
