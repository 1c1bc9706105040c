#include "server/transport/memory_queue.hpp"

#include <algorithm>
#include <vector>

namespace winadmit::server {

using boost::asio::ip::address;

MemoryQueue::Place::Place(MemoryQueue& queue, const address& source) : queue_(queue) {
  queue.waiting_.push(source, this);
  if (queue.waiting_.size() > queue.max_waiting_) queue.waiting_.pop_back()->is_refused_ = true;
}

MemoryQueue::Place::~Place() {
  if (!is_refused_) queue_.waiting_.remove(this, has_had_turn_);
}

bool MemoryQueue::Place::take_turn() {
  bool has_turn = false;
  std::vector<address> passed;
  queue_.waiting_.visit([&](const address& source, const Place* place) {
    const bool is_passed = std::ranges::find(passed, source) != passed.end();
    if (place == this) {
      has_turn = !is_passed;
      return false;
    }
    if (is_passed) return true;
    passed.push_back(source);
    return place->waits_for_own_source_;
  });
  has_had_turn_ |= has_turn;
  return has_turn;
}

}  // namespace winadmit::server
