// How the webhook port passes connections to the workers.
#include "server/transport/listener.hpp"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <future>
#include <list>
#include <memory>
#include <thread>
#include <vector>

#include "server/transport/spawn.hpp"
#include "tests/eventually.hpp"
#include "tests/server/transport/test_worker.hpp"
#include "tests/server/transport/tls_client.hpp"

namespace winadmit::server {
namespace {

using test::answers;
using test::review;

/// A listener with two workers, each on a thread.
class ListenerTest : public testing::Test {
 protected:
  ListenerTest() {
    spawn_server_task(workers_.front()->loop, "listener", listener_.accept(), [] {});
    for (const auto& worker : workers_) {
      guards_.emplace_back(worker->loop.get_executor());
      threads_.emplace_back([&worker] { worker->run(); });
    }
  }
  ~ListenerTest() override {
    for (const auto& worker : workers_) worker->loop.stop();
    threads_.clear();
    guards_.clear();
    workers_.resize(1);  // as the server does: the first loop may wait for the others
  }

  std::vector<std::unique_ptr<Worker>> make_workers() {
    std::vector<std::unique_ptr<Worker>> workers;
    for (int i = 0; i < 2; ++i) {
      ThreadMetrics& metrics = test_.all_metrics.add_thread();
      workers.push_back(std::make_unique<Worker>(
          test_.limits, 2, Handler(test_.policy, test_.config.exempt, metrics), metrics,
          test_.large_reviews));
    }
    return workers;
  }

  /// Calls a function on the listener's event loop.
  template <class Function>
  void call(Function function) {
    asio::post(workers_.front()->loop, asio::use_future(std::move(function))).get();
  }

  std::uint64_t accepted() const {
    std::uint64_t count = 0;
    for (const auto& worker : workers_) count += worker->metrics.connections_opened.value();
    return count;
  }

  void close() {
    asio::co_spawn(workers_.front()->loop, listener_.close(), asio::use_future).get();
  }

  std::uint16_t port() const { return listener_.endpoint().port(); }

  test::TestWorker test_;
  std::vector<std::unique_ptr<Worker>> workers_ = make_workers();
  Listener listener_{parse_endpoint("127.0.0.1:0"), workers_, add_reference(test_.context)};
  std::vector<asio::executor_work_guard<Executor>> guards_;
  std::vector<std::jthread> threads_;
};

TEST_F(ListenerTest, PassesEachConnectionToTheWorkerWithTheFewest) {
  std::list<test::TlsClient> clients;  // a closed one may count until its worker knows
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(answers(clients.emplace_back(port()).post(review("a")), "a"));
  }
  for (const auto& worker : workers_) EXPECT_EQ(worker->metrics.connections_opened.value(), 2U);
}

TEST_F(ListenerTest, ServesANewCertificateToNewConnectionsOnly) {
  test::TlsClient old(port());
  call([this] { listener_.set_context(test::make_context()); });
  test::TlsClient fresh(port());
  EXPECT_FALSE(old.has_same_certificate(fresh));
  EXPECT_TRUE(answers(old.post(review("a")), "a"));
}

TEST_F(ListenerTest, RefusesConnectionsAfterClose) {
  const std::uint16_t port_before = port();
  close();
  EXPECT_LT(test::TcpClient(port_before).descriptor(), 0);
}

TEST_F(ListenerTest, AcceptsBeforeItClosesWhoHasConnected) {
  std::promise<void> release;
  asio::post(workers_.front()->loop, [&] { release.get_future().wait(); });
  std::list<test::TcpClient> clients;
  for (int i = 0; i < 10; ++i) clients.emplace_back(port());
  auto closed = asio::co_spawn(workers_.front()->loop, listener_.close(), asio::use_future);
  release.set_value();
  closed.get();
  EXPECT_EQ(accepted(), clients.size());
}

TEST_F(ListenerTest, PassesOnWhatItHasAcceptedBeforeItIsClosed) {
  std::promise<void> release;
  asio::post(workers_.back()->loop, [&] { release.get_future().wait(); });
  const test::TcpClient first(port()), second(port());
  EXPECT_TRUE(test::eventually([&] { return accepted() > 0; }));
  auto closed = asio::co_spawn(workers_.front()->loop, listener_.close(), asio::use_future);
  // It waits for the worker that has yet to take the second.
  EXPECT_EQ(closed.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  release.set_value();
  closed.get();
  EXPECT_EQ(accepted(), 2U);
}

}  // namespace
}  // namespace winadmit::server
