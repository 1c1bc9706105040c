#include "server/transport/handshake_queue.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <utility>

#include "server/transport/connection.hpp"

namespace winadmit::server {
namespace {

/// A handshake takes a round trip. One that takes longer gives way: to one of another source, which
/// has fewer under way, sooner than to one of its own.
constexpr std::chrono::milliseconds kLongForOthers{100};
constexpr std::chrono::milliseconds kLongForItsOwn{1000};

}  // namespace

HandshakeQueue::HandshakeQueue(asio::io_context& loop, Clients& clients)
    : loop_(loop), clients_(clients) {}

HandshakeQueue::~HandshakeQueue() = default;

void HandshakeQueue::push(std::unique_ptr<Connection> connection) {
  waiting_.push_front(std::move(connection));
  begin_one();
}

void HandshakeQueue::remove(const Connection& connection) {
  const auto found = std::ranges::find(waiting_, &connection, &std::unique_ptr<Connection>::get);
  if (found != waiting_.end()) waiting_.erase(found);
}

/// The source with the fewest handshakes under way is first, and of one source the newest: under a
/// flood the old ones are those that nobody waits for.
void HandshakeQueue::begin_one() {
  if (waiting_.empty() || has_begun_one_) return;
  const auto next = std::ranges::min_element(
      waiting_, {}, [](const auto& connection) { return connection->handshakes_of_source(); });
  const auto now = Clock::now();
  if (!clients_.make_room_for_handshake(**next, now - kLongForOthers, now - kLongForItsOwn)) return;
  std::unique_ptr<Connection> connection = std::move(*next);
  waiting_.erase(next);
  asio::post(loop_, [this] {  // after what is ready now
    has_begun_one_ = false;
    begin_one();
  });
  has_begun_one_ = true;
  Connection::serve(std::move(connection));
}

}  // namespace winadmit::server
