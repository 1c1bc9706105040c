#include "server/transport/large_review_thread.hpp"

#include <utility>

#include "server/transport/invoke_on.hpp"

namespace winadmit::server {

Task<HttpReply> LargeReviewThread::handle(HttpRequest request, const asio::ip::address& source,
                                          Clock::time_point deadline) {
  const auto post = [this, source](Job job) { push(source, std::move(job)); };
  return invoke_through(post, [this, request, deadline] {
    if (Clock::now() >= deadline) return handler_.refuse_late();
    return std::move(handler_.handle(request));
  });
}

void LargeReviewThread::push(const asio::ip::address& source, Job job) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push(source, std::move(job));
  }
  wake_up_.notify_one();
}

void LargeReviewThread::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const auto has_job = [this] { return !jobs_.empty(); };
  while (wake_up_.wait(lock, stop, has_job) && !stop.stop_requested()) {
    Job job = jobs_.pop_front();
    lock.unlock();
    job();
    job = nullptr;  // what it refers to goes without the lock
    lock.lock();
  }
}

}  // namespace winadmit::server
