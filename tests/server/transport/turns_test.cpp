// Who is served next.
#include "server/transport/turns.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "server/transport/scope_exit.hpp"
#include "tests/server/transport/test_row.hpp"

namespace winadmit::server {
namespace {

using namespace std::chrono_literals;
using test::kOne;
using test::kThree;
using test::kTwo;
using test::TestRow;
using Order = std::vector<std::string>;

struct TurnsTest : testing::Test {
  TestRow& add(const char* source) { return rows.emplace_back(table, source); }

  SelfOwned request(TestRow& row, std::string name, Clock::time_point late_at = kNever) {
    co_await turns->wait_for_request(row, late_at);
    order.push_back((row.is_ended() ? "ended " : "") + name);
  }
  SelfOwned shake_hands(TestRow& row, std::string name, Clock::duration takes = {}) {
    co_await turns->wait_for_handshake(row);
    std::this_thread::sleep_for(takes);
    order.push_back(name);
  }

  void run_one_turn() {
    loop.restart();
    loop.poll_one();
  }
  void run() {
    loop.restart();
    loop.poll();
  }

  static constexpr auto kNever = Clock::time_point::max();
  Evictions evictions;
  ConnectionTable table{{.connections = 99, .bytes = 1, .large_bytes = 1, .handshakes = 3},
                        evictions};
  std::deque<TestRow> rows;
  asio::io_context loop{1};
  std::optional<Turns> turns{std::in_place, loop};
  Order order;
};

using Requests = TurnsTest;

TEST_F(Requests, OfAPartyComeBeforeFurtherOnesOfAnother) {
  for (int i = 0; i < 3; ++i) request(add(kOne), "one");
  TestRow& trusted = add(kOne);
  trusted.trust();
  request(trusted, "trusted");
  request(add(kTwo), "two");
  run();
  EXPECT_EQ(order, (Order{"one", "trusted", "two", "one", "one"}));
  EXPECT_TRUE(turns->empty());
}

TEST_F(Requests, OfAPartyAreServedInTheOrderOfArrivalEightInATurn) {
  Order expected;
  for (int i = 0; i < 9; ++i) request(add(kOne), expected.emplace_back(std::to_string(i)));
  run_one_turn();
  EXPECT_EQ(order.size(), 8U);
  EXPECT_FALSE(turns->empty());
  run();
  EXPECT_EQ(order, expected);
}

TEST_F(Requests, ThatAreLateComeAfterOthersButInEveryEighthTurn) {
  const auto past = Clock::now() - 1s;
  Order expected;
  for (int i = 0; i < 3; ++i) request(add(kOne), "late", past);
  for (int i = 0; i < 9; ++i) request(add(kOne), std::to_string(i));
  run();
  EXPECT_EQ(order, (Order{"0", "1", "2", "3", "4", "5", "6", "late", "7", "8", "late", "late"}));
}

TEST_F(Requests, OfEndedConnectionsAreResumedAtOnceAndWaitNoMore) {
  for (int i = 0; i < 9; ++i) request(add(kOne), std::to_string(i));
  for (const std::size_t i : {5U, 8U}) {
    rows[i].ended_for = "connections";
    rows[i].leave();
    turns->resume_ended(rows[i]);
  }
  run();
  EXPECT_EQ(order, (Order{"ended 5", "ended 8", "0", "1", "2", "3", "4", "6", "7"}));
}

TEST_F(Requests, EndWithTheTurns) {
  int destroyed = 0;
  const auto wait = [&](const char* source) -> SelfOwned {
    const ScopeExit end([&destroyed] { ++destroyed; });
    TestRow row(table, source);
    co_await turns->wait_for_request(row, kNever);
  };
  for (const char* source : {kOne, kOne, kTwo}) wait(source);
  EXPECT_EQ(table.size(), 3U);
  turns.reset();
  EXPECT_EQ(destroyed, 3);
  EXPECT_EQ(table.size(), 0U);
}

using HandshakeTurns = TurnsTest;

TEST_F(HandshakeTurns, BeginOneInEachTurnOfTheLoop) {
  for (int i = 0; i < 3; ++i) shake_hands(add(kOne), "");
  run_one_turn();
  EXPECT_EQ(table.handshakes(), 1U);
  run_one_turn();
  EXPECT_EQ(table.handshakes(), 2U);
}

TEST_F(HandshakeTurns, BeginWithTheNewestOfEachParty) {
  shake_hands(add(kOne), "one, old");
  shake_hands(add(kOne), "one, new");
  shake_hands(add(kTwo), "two");
  run();
  EXPECT_EQ(order, (Order{"one, new", "two", "one, old"}));
}

TEST_F(HandshakeTurns, WaitAtTheLimitUntilAnotherEnds) {
  for (int i = 0; i < 4; ++i) shake_hands(add(kOne), std::to_string(i));
  run();
  EXPECT_EQ(order, (Order{"3", "2", "1"}));
  rows[2].end_handshake();
  turns->serve_later();
  run();
  EXPECT_EQ(order.back(), "0");
}

TEST_F(HandshakeTurns, AtTheLimitPassOneWhoseOwnPartyHasAll) {
  for (int i = 0; i < 3; ++i) shake_hands(add(kOne), "one");
  run();
  shake_hands(add(kOne), "own");
  shake_hands(add(kTwo), "other");
  run();
  EXPECT_EQ(order.size(), 3U);
  std::this_thread::sleep_for(ConnectionTable::kHandshakeGrace);
  turns->serve_later();
  run();
  EXPECT_EQ(order.back(), "other");
}

TEST_F(HandshakeTurns, LeaveTimeToRequests) {
  shake_hands(add(kTwo), "second", 0ms);
  shake_hands(add(kTwo), "first", 10ms);
  for (int i = 0; i < 20; ++i) request(add(kOne), "request");
  run();
  EXPECT_EQ(order[8], "first");
  EXPECT_EQ(order.back(), "second") << "requests get four times the time, while they wait";
}

}  // namespace
}  // namespace winadmit::server
