// Who must go when a thread runs short of connections, memory or handshakes.
#include "server/transport/clients.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace winadmit::server {
namespace {

using boost::asio::ip::make_address;

class FakeClient final : public Client {
 public:
  FakeClient(Clients& clients, const char* address) : Client(clients, make_address(address)) {}
  using Client::begin_handshake;
  using Client::end_handshake;
  using Client::pin;
  using Client::touch;
  using Client::unpin;
  bool is_evicted = false;

 protected:
  void evict() override {
    is_evicted = true;
    leave();
  }
};

struct ClientsTest : testing::Test {
  std::unique_ptr<FakeClient> add(const char* address) {
    return std::make_unique<FakeClient>(clients, address);
  }
  Evictions evictions;
  Clients clients{{.clients = 8, .bytes = 100, .large = 90, .handshakes = 3}, evictions};
  static constexpr const char* kOne = "10.0.0.1";
  static constexpr const char* kTwo = "10.0.0.2";
  static constexpr const char* kThree = "2001:db8::3";
};

TEST_F(ClientsTest, EvictsTheLeastRecentlyActiveOfThoseThatHaveBeenServed) {
  const auto a = add(kOne), b = add(kTwo), c = add(kThree), newcomer = add(kThree);
  for (const auto& each : {a.get(), b.get(), c.get(), a.get()}) each->touch();
  clients.evict_client();
  EXPECT_TRUE(b->is_evicted);
  EXPECT_FALSE(a->is_evicted || c->is_evicted || newcomer->is_evicted);
  EXPECT_EQ(evictions.for_connections.value(), 1U);
}

TEST_F(ClientsTest, EvictsTheOldestNewcomerIfNewcomersHaveMostOfThePlaces) {
  const auto served = add(kOne), first = add(kOne), second = add(kTwo), third = add(kThree),
             fourth = add("10.0.0.4"), fifth = add("10.0.0.5");
  served->touch();
  clients.evict_client();
  EXPECT_TRUE(first->is_evicted);
  EXPECT_FALSE(served->is_evicted || second->is_evicted);
  clients.evict_client();
  EXPECT_TRUE(served->is_evicted) << "the others have no more than half now";
}

TEST_F(ClientsTest, EvictsFromTheSourceThatHasMoreThanAFairPart) {
  const auto old = add(kOne), a = add(kTwo), b = add(kTwo), c = add(kTwo);
  for (const auto& each : {old.get(), a.get(), b.get(), c.get()}) each->touch();
  clients.evict_client();
  EXPECT_TRUE(a->is_evicted) << "three of eight places";
  clients.evict_client();
  EXPECT_TRUE(old->is_evicted) << "two are fair";
}

TEST_F(ClientsTest, IsFullAtItsLimit) {
  std::vector<std::unique_ptr<FakeClient>> all;
  for (int i = 0; i < 8; ++i) {
    EXPECT_FALSE(clients.is_full());
    all.push_back(add(kOne));
  }
  EXPECT_TRUE(clients.is_full());
  clients.evict_client();
  EXPECT_FALSE(clients.is_full());
}

TEST_F(ClientsTest, ForgetsClientsThatGo) {
  auto a = add(kOne);
  {
    const auto b = add(kOne);
    ASSERT_TRUE(b->hold(60));
    b->begin_handshake();
    EXPECT_EQ(clients.bytes(), 60U);
    EXPECT_EQ(a->handshakes_of_source(), 1U);
  }
  EXPECT_EQ(clients.size(), 1U);
  EXPECT_EQ(clients.bytes(), 0U);
  EXPECT_EQ(clients.handshakes(), 0U);
  a.reset();
  clients.evict_client();  // there is none
  EXPECT_EQ(evictions.for_connections.value(), 0U);
}

TEST_F(ClientsTest, TakesBytesFromTheOldestHolderOfASourceThatHoldsMoreThanHalf) {
  const auto modest = add(kTwo), greedy_first = add(kOne), greedy_second = add(kOne);
  ASSERT_TRUE(modest->hold(10));
  ASSERT_TRUE(greedy_first->hold(40));
  ASSERT_TRUE(greedy_second->hold(50));
  EXPECT_TRUE(modest->hold(20));
  EXPECT_TRUE(greedy_first->is_evicted);
  EXPECT_FALSE(greedy_second->is_evicted);
  EXPECT_EQ(clients.bytes(), 80U);
  EXPECT_EQ(evictions.for_memory.value(), 1U);
}

TEST_F(ClientsTest, TakesBytesFromTheOldestHolderWhereNoSourceHoldsMoreThanHalf) {
  const auto old = add(kOne), large = add(kTwo), asking = add(kThree);
  ASSERT_TRUE(old->hold(30));
  ASSERT_TRUE(large->hold(50));
  EXPECT_TRUE(asking->hold(40));
  EXPECT_TRUE(old->is_evicted);
  EXPECT_FALSE(large->is_evicted);
}

TEST_F(ClientsTest, RefusesBytesToTheNewestOfASourceInsteadOfEvictingItsOldest) {
  const auto old = add(kOne), young = add(kOne), other = add(kTwo);
  ASSERT_TRUE(other->hold(30));
  ASSERT_TRUE(old->hold(50));
  EXPECT_FALSE(young->hold(21)) << "its source would have more than half";
  EXPECT_FALSE(old->hold(21));
  EXPECT_FALSE(other->hold(101)) << "more than there is, even when all others are gone";
  EXPECT_FALSE(old->is_evicted || young->is_evicted || other->is_evicted);
  EXPECT_EQ(clients.bytes(), 80U);
}

TEST(LargeClients, LeaveSomeMemoryToOthers) {
  constexpr std::size_t kLarge = Clients::kLarge;
  Evictions evictions;
  Clients clients({.clients = 8, .bytes = 4 * kLarge, .large = 3 * kLarge, .handshakes = 3},
                  evictions);
  const auto address = make_address("10.0.0.1").to_string();
  FakeClient first(clients, address.c_str()), second(clients, address.c_str()),
      small(clients, address.c_str());
  ASSERT_TRUE(first.hold(2 * kLarge));
  EXPECT_FALSE(second.hold(kLarge + 1));
  EXPECT_TRUE(small.hold(kLarge));
  EXPECT_TRUE(second.hold(kLarge));
  EXPECT_FALSE(second.hold(1)) << "it would be large";
  EXPECT_FALSE(first.is_evicted || second.is_evicted || small.is_evicted);
}

TEST_F(ClientsTest, DoesNotEvictAPinnedClient) {
  const auto judged = add(kOne), other = add(kTwo);
  ASSERT_TRUE(judged->hold(90));
  judged->pin();
  EXPECT_FALSE(other->hold(20));
  judged->touch();
  clients.evict_client();
  EXPECT_FALSE(judged->is_evicted);
  EXPECT_EQ(clients.bytes(), 90U) << "what is in use counts";
  judged->unpin();
  EXPECT_TRUE(other->hold(20));
  EXPECT_TRUE(judged->is_evicted);
}

TEST_F(ClientsTest, ReleasesWhatAnEvictedClientHeldOnce) {
  const auto a = add(kOne);
  ASSERT_TRUE(a->hold(70));
  clients.evict_client();
  EXPECT_EQ(clients.bytes(), 0U);
  a->release(70);
  EXPECT_EQ(clients.bytes(), 0U);
  EXPECT_FALSE(a->hold(1)) << "it is on its way out";
}

TEST_F(ClientsTest, MakesRoomForAHandshakeByTheOldestOfTheSourceWithMost) {
  const auto never = Clients::Clock::now() - std::chrono::hours(1);
  const auto always = Clients::Clock::now() + std::chrono::hours(1);
  const auto a = add(kThree), b = add(kOne), c = add(kOne), next = add(kOne), other = add(kTwo);
  EXPECT_TRUE(clients.make_room_for_handshake(*next, never, never));
  for (const auto& each : {a.get(), b.get(), c.get()}) each->begin_handshake();
  EXPECT_FALSE(clients.make_room_for_handshake(*next, always, never)) << "of its own source";
  EXPECT_FALSE(clients.make_room_for_handshake(*other, never, always)) << "of another";
  EXPECT_TRUE(clients.make_room_for_handshake(*next, never, always));
  EXPECT_TRUE(b->is_evicted) << "its source has the most";
  b->end_handshake();
  EXPECT_EQ(clients.handshakes(), 2U);
  EXPECT_EQ(evictions.for_handshakes.value(), 1U);
  next->begin_handshake();
  EXPECT_TRUE(clients.make_room_for_handshake(*other, always, never));
  EXPECT_TRUE(c->is_evicted);
  EXPECT_FALSE(a->is_evicted);
}

}  // namespace
}  // namespace winadmit::server
