#include "server/transport/large_review_thread.hpp"

#include <memory>
#include <utility>

#include "server/transport/invoke_on.hpp"

namespace winadmit::server {

Task<HttpReply> LargeReviewThread::handle(HttpRequest request, asio::ip::address source,
                                          Clock::time_point deadline) {
  const auto post = [this, source](auto work) {
    // std::function wants a copyable callable.
    push(source, [shared = std::make_shared<decltype(work)>(std::move(work))] { (*shared)(); });
  };
  return invoke_through(post, [this, request, deadline] {
    if (Clock::now() >= deadline) return handler_.refuse_late();
    return std::move(handler_.handle(request));
  });
}

void LargeReviewThread::push(const asio::ip::address& source, FairQueue::Job job) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push(source, std::move(job));
  }
  asio::post(thread_, [this] { run_next(); });
}

void LargeReviewThread::run_next() {
  FairQueue::Job job;
  {
    const std::lock_guard lock(mutex_);
    job = jobs_.pop();
  }
  job();
}

}  // namespace winadmit::server
