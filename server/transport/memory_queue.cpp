#include "server/transport/memory_queue.hpp"

#include <boost/asio/redirect_error.hpp>
#include <utility>

namespace winadmit::server {
namespace {

constexpr std::chrono::milliseconds kRetryTime{10};

}  // namespace

Task<bool> MemoryQueue::wait(asio::ip::address source, Clock::time_point deadline,
                             Attempt attempt) {
  const auto self = std::make_shared<Waiting>(Waiting{.attempt = std::move(attempt)});
  waiting_.push(source, self);
  if (waiting_.size() == 1) serve();
  if (waiting_.size() > max_waiting_) {
    if (const auto last = waiting_.pop_back().lock()) last->is_refused = true;
  }
  Timer timer(loop_);
  while (!self->is_served && !self->is_refused && Clock::now() < deadline) {
    timer.expires_after(kRetryTime);
    error_code ignored;
    co_await timer.async_wait(asio::redirect_error(use_task, ignored));
    if (waiting_.empty()) continue;
    if (const auto first = waiting_.front().lock(); !first || first == self) serve();
  }
  co_return self->is_served;
}

/// Serves all that have their turn, and removes those that wait no longer.
void MemoryQueue::serve() {
  waiting_.serve([](const std::weak_ptr<Waiting>& each) {
    const auto waiting = each.lock();
    if (waiting) waiting->is_served = waiting->attempt();
    return !waiting || waiting->is_served;
  });
}

}  // namespace winadmit::server
