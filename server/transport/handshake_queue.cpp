#include "server/transport/handshake_queue.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <utility>

#include "server/transport/connection.hpp"

namespace winadmit::server {
namespace {

/// A handshake takes one round trip. At the limit, one that takes longer than this is evicted for
/// a connection of another source, or of the same source.
constexpr std::chrono::milliseconds kSlowForOthers{100};
constexpr std::chrono::milliseconds kSlowForOwn{1000};

/// While both wait, requests get this many times the time of handshakes.
constexpr int kTimeOfRequests = 4;

/// A handshake seems to take long if the process is stopped in it.
constexpr Clock::duration kMaxTimeOfRequests = std::chrono::milliseconds(20);

}  // namespace

HandshakeQueue::HandshakeQueue(asio::io_context& loop, ConnectionTracker& connections,
                               const RequestQueue& requests)
    : loop_(loop), connections_(connections), requests_(requests), retry_(loop) {}

HandshakeQueue::~HandshakeQueue() = default;

void HandshakeQueue::push(std::unique_ptr<Connection> connection) {
  const asio::ip::address source = connection->source();
  std::list<Waiting> one;
  one.push_front({std::move(connection), next_rank_--});
  std::list<Waiting>& of_source = waiting_[source];
  of_source.splice(of_source.begin(), one);
  start_next();
}

void HandshakeQueue::remove(const Connection& connection, const asio::ip::address& source) {
  const auto found = waiting_.find(source);
  if (found == waiting_.end()) return;
  std::erase_if(found->second,
                [&](const Waiting& each) { return each.connection.get() == &connection; });
  if (found->second.empty()) waiting_.erase(found);
}

/// The source with the fewest handshakes under way; of several, that of the newest connection.
HandshakeQueue::Sources::iterator HandshakeQueue::choose_source() {
  return std::ranges::min_element(waiting_, {}, [](const Sources::value_type& source) {
    const Waiting& newest = source.second.front();
    return std::pair(newest.connection->handshakes_of_source(), newest.rank);
  });
}

/// Starts with the newest connection of a source: in a flood, the clients of old ones have given
/// up.
void HandshakeQueue::start_next() {
  if (waiting_.empty() || waits_for_turn_) return;
  if (is_turn_of_requests()) return start_in_next_turn();
  const auto source = choose_source();
  const auto now = Clock::now();
  if (!connections_.make_room_for_handshake(*source->second.front().connection,
                                            now - kSlowForOthers, now - kSlowForOwn)) {
    return start_later();
  }
  std::unique_ptr<Connection> connection = std::move(source->second.front().connection);
  source->second.pop_front();
  if (source->second.empty()) waiting_.erase(source);
  start_in_next_turn();
  const auto began = Clock::now();
  Connection::serve(std::move(connection));
  const auto ended = Clock::now();
  requests_first_until_ = ended + std::min(kTimeOfRequests * (ended - began), kMaxTimeOfRequests);
}

bool HandshakeQueue::is_turn_of_requests() const {
  return !requests_.empty() && Clock::now() < requests_first_until_;
}

void HandshakeQueue::start_in_next_turn() {
  asio::post(loop_, [this] {  // runs after all that is ready now
    waits_for_turn_ = false;
    start_next();
  });
  waits_for_turn_ = true;
}

void HandshakeQueue::start_later() {
  if (is_retrying_) return;
  retry_.expires_after(kSlowForOthers);
  retry_.async_wait([this](const error_code& error) {
    if (error) return;  // the timer is destroyed
    is_retrying_ = false;
    start_next();
  });
  is_retrying_ = true;  // last, because the others may throw
}

}  // namespace winadmit::server
