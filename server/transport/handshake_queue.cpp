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
  if (waiting_.empty() || has_started_one_) return;
  const auto source = choose_source();
  const auto now = Clock::now();
  if (!connections_.make_room_for_handshake(*source->second.front().connection,
                                            now - kSlowForOthers, now - kSlowForOwn)) {
    return start_later();
  }
  std::unique_ptr<Connection> connection = std::move(source->second.front().connection);
  source->second.pop_front();
  if (source->second.empty()) waiting_.erase(source);
  asio::post(loop_, [this] {  // runs after all that is ready now
    has_started_one_ = false;
    start_next();
  });
  has_started_one_ = true;
  Connection::serve(std::move(connection));
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
