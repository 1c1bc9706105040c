#include "server/transport/large_reviews.hpp"

#include <utility>

#include "server/transport/run_on.hpp"

namespace winadmit::server {

Task<HttpReply> LargeReviews::handle(HttpRequest request, Clock::time_point deadline) {
  return run_on(thread_.get_executor(), [this, request, deadline] {
    if (Clock::now() >= deadline) return handler_.refuse_late();
    return std::move(handler_.handle(request));
  });
}

}  // namespace winadmit::server
