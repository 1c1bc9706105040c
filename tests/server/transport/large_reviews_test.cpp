// Large reviews have a thread of their own.
#include "server/transport/large_reviews.hpp"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <string>
#include <thread>
#include <vector>

#include "config/config.hpp"
#include "server/telemetry/log.hpp"
#include "server/telemetry/metrics.hpp"
#include "server/transport/limits.hpp"
#include "tests/server/transport/requests.hpp"

namespace winadmit::server {
namespace {

TEST(LargeReviews, LeavesTheEventLoopToOthersAndResumesOnIt) {
  set_up_logging(spdlog::level::off, LogFormat::json);
  const Config config;
  const Policy policy(config.policy);
  Metrics metrics("1.34");
  LargeReviews large(Handler(policy, config.exempt, metrics.add_thread()));
  asio::io_context loop;
  std::vector<std::string> order;
  const auto handle = [&](std::string uid) -> Task<void> {
    std::string body = test::review(uid, kLargeBytes);
    const std::size_t size = body.size();
    body.append(simdjson::SIMDJSON_PADDING, ' ');
    const HttpReply reply = co_await large.handle({.method = "POST",
                                                   .target = "/validate",
                                                   .content_type = kJsonType,
                                                   .body = std::string_view(body).substr(0, size)},
                                                  Clock::now() + std::chrono::hours(1));
    EXPECT_EQ(reply.status, 200);
    EXPECT_NE(reply.text().find("\"uid\":\"" + uid + '"'), std::string::npos);
    order.push_back(uid + (loop.get_executor().running_in_this_thread() ? "" : " elsewhere"));
  };
  asio::co_spawn(loop, handle("first"), asio::detached);
  asio::co_spawn(loop, handle("second"), asio::detached);
  asio::post(loop, [&] { order.emplace_back("other"); });
  loop.run();
  EXPECT_EQ(order, (std::vector<std::string>{"other", "first", "second"}));
}

TEST(LargeReviews, Answers503AfterTheDeadline) {
  const Config config;
  const Policy policy(config.policy);
  Metrics metrics("1.34");
  LargeReviews large(Handler(policy, config.exempt, metrics.add_thread()));
  asio::io_context loop;
  int status = 0;
  const auto handle = [&]() -> Task<void> {
    const std::string_view without_padding("{", 1);  // so it must not be parsed
    const HttpReply reply = co_await large.handle({.method = "POST",
                                                   .target = "/validate",
                                                   .content_type = kJsonType,
                                                   .body = without_padding},
                                                  Clock::now());
    status = reply.status;
  };
  asio::co_spawn(loop, handle(), asio::detached);
  loop.run();
  EXPECT_EQ(status, 503);
  EXPECT_NE(metrics.text().find("winadmit_bad_requests_total{reason=\"timeout\"} 1"),
            std::string::npos);
}

}  // namespace
}  // namespace winadmit::server
