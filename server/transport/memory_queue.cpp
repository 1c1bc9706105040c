#include "server/transport/memory_queue.hpp"

#include <algorithm>
#include <boost/asio/redirect_error.hpp>
#include <utility>
#include <vector>

namespace winadmit::server {
namespace {

constexpr std::chrono::milliseconds kRetryTime{10};

}  // namespace

Task<bool> MemoryQueue::wait(asio::ip::address source, Clock::time_point deadline,
                             Attempt attempt) {
  const auto self = std::make_shared<Waiting>(Waiting{.attempt = std::move(attempt)});
  waiting_.push(source, self);
  serve();
  if (waiting_.size() > max_waiting_) {
    if (const auto last = waiting_.pop_back().lock()) last->is_refused = true;
  }
  Timer timer(loop_);
  while (!self->is_served && !self->is_refused && Clock::now() < deadline) {
    timer.expires_after(kRetryTime);
    error_code ignored;
    co_await timer.async_wait(asio::redirect_error(use_task, ignored));
    const auto first = waiting_.empty() ? nullptr : waiting_.front().lock();
    if (!first || first == self) serve();
  }
  co_return self->is_served;
}

/// Serves the first ones for which there is memory, and removes those that wait no longer. None of
/// another source passes one that waits for others: a large request would never get its memory if
/// smaller ones could always take it.
void MemoryQueue::serve() {
  using Turn = Queue::Turn;
  bool is_blocked = false;
  std::vector<asio::ip::address> passed;
  waiting_.visit([&](const asio::ip::address& source, const std::weak_ptr<Waiting>& each) {
    const auto waiting = each.lock();
    if (!waiting) return Turn::dropped;
    if (is_blocked || std::ranges::find(passed, source) != passed.end()) return Turn::stays;
    switch (waiting->attempt()) {
      case Outcome::ended:
        waiting->is_served = true;
        return Turn::served;
      case Outcome::waits_for_own:
        passed.push_back(source);
        break;
      case Outcome::waits:
        is_blocked = true;
        break;
    }
    return Turn::stays;
  });
}

}  // namespace winadmit::server
