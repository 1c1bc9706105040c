#include "server/transport/request_queue.hpp"

#include <boost/asio/post.hpp>
#include <utility>

#include "server/transport/connection.hpp"

namespace winadmit::server {
namespace {

/// A turn serves whole rounds until it has served this many requests. Then the loop looks for new
/// requests, which takes a twentieth of the time of a small one.
constexpr std::size_t kRequestsInTurn = 8;

}  // namespace

RequestQueue::RequestQueue(asio::io_context& loop) : loop_(loop) {}

RequestQueue::~RequestQueue() = default;

void RequestQueue::push(std::unique_ptr<Connection> connection) {
  const std::size_t round = connection->take_round(next_round_) - next_round_;
  if (round >= rounds_.size()) rounds_.resize(round + 1);
  rounds_[round].push_back(std::move(connection));
  serve_later();
}

void RequestQueue::serve_later() {
  if (is_posted_) return;
  asio::post(loop_, [this] {  // runs after all that is ready now
    is_posted_ = false;
    serve_turn();
  });
  is_posted_ = true;
}

void RequestQueue::serve_turn() {
  for (std::size_t served = 0; served < kRequestsInTurn && !rounds_.empty();) {
    Round round = std::move(rounds_.front());
    rounds_.pop_front();
    ++next_round_;
    if (!rounds_.empty()) serve_later();  // before anything that may throw
    served += round.size();
    for (auto& connection : round) Connection::serve_turn(std::move(connection));
  }
}

}  // namespace winadmit::server
