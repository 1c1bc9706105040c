// A thread that handles large reviews, one at a time. The event loops stay free for other requests,
// and only one parser needs the memory for a large body: up to 13 times its size. How many wait is
// bounded by their memory, which they get in turn.
#pragma once

#include <boost/asio/thread_pool.hpp>
#include <utility>

#include "server/handler/handler.hpp"
#include "server/transport/asio.hpp"
#include "server/transport/invoke_on.hpp"

namespace winadmit::server {

/// Destroyed, it ends after the review that it handles. Others are never handled.
class LargeReviews {
 public:
  explicit LargeReviews(Handler handler) : handler_(std::move(handler)) {}

  /// The caller resumes on its own event loop. `request` refers to memory that must stay until
  /// then. The reply is 503 if the deadline passes before the request is handled.
  Task<HttpReply> handle(HttpRequest request, Clock::time_point deadline) {
    return invoke_on(thread_.get_executor(), [this, request, deadline] {
      if (Clock::now() >= deadline) return handler_.refuse_late();
      return std::move(handler_.handle(request));
    });
  }

 private:
  Handler handler_;
  asio::thread_pool thread_{1};
};

}  // namespace winadmit::server
