// What a worker does with its connections on behalf of other threads.
#include "server/transport/worker.hpp"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <chrono>
#include <future>
#include <memory>
#include <thread>

#include "tests/server/transport/test_worker.hpp"
#include "tests/server/transport/tls_client.hpp"

namespace winadmit::server {
namespace {

using namespace std::chrono_literals;
using test::answers;
using test::review;

struct WorkerTest : testing::Test {
  ~WorkerTest() override { test.worker.loop.stop(); }

  void run() {
    thread = std::jthread([this] { test.worker.run(); });
  }

  /// Passes a descriptor to the worker from the event loop of this thread.
  bool pass(int descriptor) {
    bool is_accepted = false;
    asio::io_context loop;
    asio::co_spawn(loop, test.worker.accept(descriptor, Tcp::v4(), add_reference(test.context)),
                   [&](const std::exception_ptr& exception, bool accepted) {
                     EXPECT_FALSE(exception);
                     is_accepted = accepted;
                   });
    loop.run();
    return is_accepted;
  }

  /// A client whose connection the worker has accepted.
  std::unique_ptr<test::TlsClient> connect() {
    auto accepted = std::async(std::launch::async, [this] {
      Socket socket(test.worker.loop);
      test.acceptor.accept(socket);
      error_code error;
      return pass(socket.release(error));
    });
    auto client = std::make_unique<test::TlsClient>(test.port());
    EXPECT_TRUE(accepted.get());
    return client;
  }

  test::TestWorker test{{.max_connections = 2, .handshake_timeout = 100ms}};
  asio::executor_work_guard<Executor> guard{test.worker.loop.get_executor()};
  std::jthread thread;
};

TEST_F(WorkerTest, ServesAConnectionThatAnotherThreadPasses) {
  run();
  const auto client = connect();
  EXPECT_TRUE(answers(client->post(review("a")), "a"));
}

TEST_F(WorkerTest, DoesNotAcceptABadDescriptor) {
  run();
  EXPECT_FALSE(pass(-1));
  EXPECT_EQ(test.metrics.connections_opened.value(), 0U);
}

TEST_F(WorkerTest, EvictsAConnectionAtTheLimit) {
  run();
  const auto first = connect(), second = connect();
  ASSERT_TRUE(answers(first->post(review("a")), "a"));
  ASSERT_TRUE(answers(second->post(review("b")), "b"));
  const auto third = connect();
  EXPECT_TRUE(first->wait_for_close());
  EXPECT_TRUE(answers(second->post(review("b")), "b"));
  EXPECT_TRUE(answers(third->post(review("c")), "c"));
}

TEST_F(WorkerTest, EvictsTheLeastRecentlyUsedConnectionOnRequest) {
  run();
  const auto first = connect(), second = connect();
  ASSERT_TRUE(answers(second->post(review("b")), "b"));
  ASSERT_TRUE(answers(first->post(review("a")), "a"));
  test.worker.evict_connection();
  EXPECT_TRUE(second->wait_for_close());
  EXPECT_TRUE(answers(first->post(review("a")), "a"));
}

TEST_F(WorkerTest, ClosesConnectionsAfterTheirNextReplyOnRequest) {
  run();
  const auto client = connect();
  ASSERT_FALSE(client->post(review("a")).has_connection_close());
  test.worker.close_after_replies();
  EXPECT_TRUE(client->post(review("b")).has_connection_close());
  EXPECT_TRUE(client->wait_for_close());
}

TEST_F(WorkerTest, ClosesIdleConnectionsWhenItDrains) {
  run();
  const auto client = connect();
  ASSERT_TRUE(answers(client->post(review("a")), "a"));
  test.worker.drain();
  EXPECT_TRUE(client->wait_for_close());
}

TEST_F(WorkerTest, ClosesConnectionsPastTheirDeadline) {
  asio::co_spawn(test.worker.loop, test.worker.watch_deadlines(), asio::detached);
  run();
  const test::TcpClient client(test.port());
  Socket socket(test.worker.loop);
  test.acceptor.accept(socket);
  error_code error;
  ASSERT_TRUE(pass(socket.release(error)));
  EXPECT_TRUE(client.wait_for_close());
}

}  // namespace
}  // namespace winadmit::server
