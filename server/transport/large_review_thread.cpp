#include "server/transport/large_review_thread.hpp"

#include <algorithm>
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

void LargeReviewThread::push(const asio::ip::address& source, Job job) {
  {
    const std::lock_guard lock(mutex_);
    std::uint64_t& next = next_rounds_[source];
    next = std::max(next, round_);
    jobs_.emplace(next, std::move(job));
    ++next;
  }
  asio::post(thread_, [this] { run_next(); });
}

void LargeReviewThread::run_next() {
  Job job;
  {
    const std::lock_guard lock(mutex_);
    const auto first = jobs_.begin();
    round_ = first->first;
    job = std::move(first->second);
    jobs_.erase(first);
    std::erase_if(next_rounds_, [this](const auto& entry) { return entry.second <= round_; });
  }
  job();
}

}  // namespace winadmit::server
