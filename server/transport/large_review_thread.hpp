// A thread that handles large reviews, one at a time. The event loops stay free for other requests,
// and only one parser needs the memory for a large body: up to 13 times its size.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

#include "server/handler/handler.hpp"
#include "server/transport/asio.hpp"
#include "server/transport/fair_queue.hpp"

namespace winadmit::server {

class LargeReviewThread {
 public:
  explicit LargeReviewThread(Handler handler) : handler_(std::move(handler)) {}

  /// Ends the thread after the job that it runs. Others are never run.
  ~LargeReviewThread() = default;

  /// The source addresses are served round-robin. The caller resumes on its own event loop.
  /// `request` refers to memory that must stay until then. The reply is 503 if the deadline passes
  /// before the turn of the request.
  Task<HttpReply> handle(HttpRequest request, const asio::ip::address& source,
                         Clock::time_point deadline);

 private:
  using Job = std::function<void()>;

  void push(const asio::ip::address& source, Job job);
  void run(const std::stop_token& stop);

  Handler handler_;
  std::mutex mutex_;
  FairQueue<Job> jobs_;  // guarded by mutex_
  std::condition_variable_any wake_up_;
  std::jthread thread_{[this](const std::stop_token& stop) { run(stop); }};
};

}  // namespace winadmit::server
