#include "cli/serve_options.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace winadmit::cli {
namespace {

using namespace std::chrono_literals;

server::Options load(const std::string& arguments) {
  std::istringstream line(arguments);
  ServeOptions options;
  CLI::App command;
  options.add_to(command);
  std::vector<std::string> words(std::istream_iterator<std::string>(line), {});
  std::ranges::reverse(words);  // as CLI11 wants them
  command.parse(words);
  return options.load();
}

std::string error_of(const std::string& arguments) {
  try {
    load(arguments);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no error";
}

TEST(ServeOptions, HaveTheDefaultsOfTheServer) {
  const server::Options options = load("--tls-cert a --tls-key b");
  const server::Options server{};
  EXPECT_EQ(options.listen, server.listen);
  EXPECT_EQ(options.admin_listen, server.admin_listen);
  EXPECT_EQ(options.limits.handshake_timeout, server.limits.handshake_timeout);
  EXPECT_EQ(options.limits.idle_timeout, server.limits.idle_timeout);
  EXPECT_EQ(options.limits.request_timeout, server.limits.request_timeout);
  EXPECT_EQ(options.drain_delay, server.drain_delay);
  EXPECT_EQ(options.drain_timeout, server.drain_timeout);
  EXPECT_EQ(options.reload_interval, server.reload_interval);
  EXPECT_EQ(options.limits.http.max_body, server.limits.http.max_body);
}

TEST(ServeOptions, ServeOnLoopbackWithoutDelayForDevelopment) {
  const server::Options options = load("--dev --admin-listen [::1]:1");
  EXPECT_EQ(options.listen, "127.0.0.1:8443");
  EXPECT_EQ(options.admin_listen, "[::1]:1");
  EXPECT_EQ(options.drain_delay, 0s);
  EXPECT_EQ(load("--dev --drain-delay 3").drain_delay, 3s);
}

TEST(ServeOptions, TakeFractionsOfSeconds) {
  EXPECT_EQ(load("--dev --request-timeout 0.25").limits.request_timeout, 250ms);
  EXPECT_EQ(load("--dev --idle-timeout 3").limits.idle_timeout, 3s);
  EXPECT_THROW(load("--dev --idle-timeout -1"), CLI::ValidationError);
  for (const char* flag :
       {"--handshake-timeout", "--idle-timeout", "--request-timeout", "--reload-interval"}) {
    EXPECT_THROW(load(std::string("--dev ") + flag + " 0"), CLI::ValidationError) << flag;
  }
  EXPECT_EQ(load("--dev --drain-timeout 0").drain_timeout, 0ms);
}

TEST(ServeOptions, RefuseTimesThatAreNoDecimalNumbers) {
  for (const char* flag : {"--handshake-timeout", "--idle-timeout", "--request-timeout",
                           "--drain-delay", "--drain-timeout", "--reload-interval"}) {
    for (const char* value : {" nan", " -nan", " inf", " 0x10", " 1s"})
      EXPECT_THROW(load(std::string("--dev ") + flag + value), CLI::ValidationError) << flag;
  }
}

TEST(ServeOptions, LogTextForDevelopmentUnlessToldOtherwise) {
  ServeOptions options;
  EXPECT_FALSE(options.logs_text());
  options.server.certificate.is_self_signed = true;
  EXPECT_TRUE(options.logs_text());
  options.log_format = "json";
  EXPECT_FALSE(options.logs_text());
}

TEST(ServeOptions, TakeTheAnnotationOfTheMatchConditions) {
  EXPECT_EQ(load("--dev").match_conditions, std::nullopt);
  EXPECT_EQ(load("--dev --match-conditions off").match_conditions, "off");
  const std::string hash(64, 'a');
  EXPECT_EQ(load("--dev --match-conditions " + hash).match_conditions, hash);
  for (const char* wrong : {"on", "OFF", "abc"}) {
    EXPECT_EQ(error_of(std::string("--dev --match-conditions ") + wrong),
              "--match-conditions must be 64 hexadecimal digits, or off: copy the annotation "
              "winadmit.dev/match-conditions of the webhook configurations");
  }
  EXPECT_NE(error_of("--dev --match-conditions " + std::string(64, 'g')), "no error");
}

TEST(ServeOptions, RefuseContradictions) {
  EXPECT_EQ(error_of("--dev --tls-cert a --tls-key b"),
            "--dev makes its own pair: omit --tls-cert and --tls-key");
  for (const char* listen : {":8443", "localhost:8443"}) {
    EXPECT_EQ(error_of(std::string("--dev --listen ") + listen),
              "--dev serves on loopback addresses only, such as 127.0.0.1:8443 or [::1]:8443");
  }
  EXPECT_EQ(error_of("--tls-cert a"), "--tls-cert and --tls-key are required without --dev");
  EXPECT_EQ(error_of("--dev --client-name a"),
            "--client-name needs --client-ca, which signs the names");
  EXPECT_EQ(error_of("--dev --client-ca a --client-name b,c"), "no error");
}

}  // namespace
}  // namespace winadmit::cli
