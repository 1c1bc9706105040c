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

}  // namespace

HandshakeQueue::HandshakeQueue(asio::io_context& loop, ConnectionTracker& connections)
    : loop_(loop), connections_(connections), retry_(loop) {}

HandshakeQueue::~HandshakeQueue() = default;

void HandshakeQueue::push(std::unique_ptr<Connection> connection) {
  waiting_.push_front(std::move(connection));
  start_next();
}

void HandshakeQueue::remove(const Connection& connection) {
  const auto found = std::ranges::find(waiting_, &connection, &std::unique_ptr<Connection>::get);
  if (found != waiting_.end()) waiting_.erase(found);
}

/// Picks the source with the fewest handshakes under way, and its newest connection: in a flood,
/// the clients of old ones have given up.
void HandshakeQueue::start_next() {
  if (waiting_.empty() || has_started_one_) return;
  const auto next = std::ranges::min_element(
      waiting_, {}, [](const auto& connection) { return connection->handshakes_of_source(); });
  const auto now = Clock::now();
  if (!connections_.make_room_for_handshake(**next, now - kSlowForOthers, now - kSlowForOwn)) {
    return start_later();
  }
  std::unique_ptr<Connection> connection = std::move(*next);
  waiting_.erase(next);
  asio::post(loop_, [this] {  // runs after all that is ready now
    has_started_one_ = false;
    start_next();
  });
  has_started_one_ = true;
  Connection::serve(std::move(connection));
}

void HandshakeQueue::start_later() {
  if (is_retrying_) return;
  is_retrying_ = true;
  retry_.expires_after(kSlowForOthers);
  retry_.async_wait([this](const error_code& error) {
    if (error) return;  // the timer is destroyed
    is_retrying_ = false;
    start_next();
  });
}

}  // namespace winadmit::server
