// Judges large reviews, one at a time, on a thread of its own. So the event loops stay free for
// other requests, and the memory that parsing takes, up to 13 times the body, is taken once.
#pragma once

#include <boost/asio/thread_pool.hpp>

#include "server/handler/handler.hpp"
#include "server/transport/asio.hpp"

namespace winadmit::server {

class LargeReviews {
 public:
  /// Bodies of more bytes than this are large.
  static constexpr std::size_t kSize = 256 * 1024;

  explicit LargeReviews(Handler handler) : handler_(std::move(handler)) {}

  /// The caller resumes on its own event loop. What `request` refers to must stay until then. A
  /// request whose deadline is over when its turn comes is not judged: the reply is a 503.
  Task<HttpReply> handle(HttpRequest request, Clock::time_point deadline);

 private:
  Handler handler_;
  asio::thread_pool thread_{1};
};

}  // namespace winadmit::server
