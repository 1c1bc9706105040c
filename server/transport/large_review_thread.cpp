#include "server/transport/large_review_thread.hpp"

#include <utility>

#include "server/transport/invoke_on.hpp"

namespace winadmit::server {

Task<HttpReply> LargeReviewThread::handle(HttpRequest request, Clock::time_point deadline) {
  return invoke_on(thread_.get_executor(), [this, request, deadline] {
    if (Clock::now() >= deadline) return handler_.refuse_late();
    return std::move(handler_.handle(request));
  });
}

}  // namespace winadmit::server
