#include "server/transport/request_queue.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <utility>

#include "server/transport/connection.hpp"

namespace winadmit::server {
namespace {

/// A turn serves whole rounds until it has served this many requests. Then the loop looks for new
/// requests, which takes a twentieth of the time of a small one.
constexpr std::size_t kRequestsInTurn = 8;

/// In each round of this number, late requests come first: their clients may still wait.
constexpr std::uint64_t kRoundsForLateOne = 8;

}  // namespace

RequestQueue::RequestQueue(asio::io_context& loop) : loop_(loop) {}

RequestQueue::~RequestQueue() = default;

void RequestQueue::push(std::unique_ptr<Connection> connection) {
  const asio::ip::address source = connection->source();
  Connections one;
  one.push_back(std::move(connection));
  Connections& in_time = waiting_[source].in_time;
  in_time.splice(in_time.end(), one);
  serve_later();
}

void RequestQueue::remove(const Connection& connection, const asio::ip::address& source) {
  const auto found = waiting_.find(source);
  if (found == waiting_.end()) return;
  Source& of_source = found->second;
  for (Connections* list : {&of_source.late, &of_source.in_time}) {
    const auto waiting =
        std::ranges::find_if(*list, [&](const auto& each) { return each.get() == &connection; });
    if (waiting == list->end()) continue;
    list->erase(waiting);
    break;
  }
  if (of_source.empty()) waiting_.erase(found);
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
  for (std::size_t served = 0; served < kRequestsInTurn && !waiting_.empty();) {
    Connections round = take_round();
    if (!waiting_.empty()) serve_later();  // before anything that may throw
    served += round.size();
    for (auto& connection : round) Connection::serve_turn(std::move(connection));
  }
}

/// One connection of each source.
RequestQueue::Connections RequestQueue::take_round() {
  Connections round;
  const auto now = Clock::now();
  const bool prefers_late = ++rounds_ % kRoundsForLateOne == 0;
  for (auto next = waiting_.begin(); next != waiting_.end();) {
    auto& [in_time, late] = next->second;
    while (!in_time.empty() && now > in_time.front()->late_at()) {
      late.splice(late.end(), in_time, in_time.begin());
    }
    const bool takes_late = in_time.empty() || (prefers_late && !late.empty());
    Connections& from = takes_late ? late : in_time;
    round.splice(round.end(), from, from.begin());
    next = next->second.empty() ? waiting_.erase(next) : std::next(next);
  }
  return round;
}

}  // namespace winadmit::server
