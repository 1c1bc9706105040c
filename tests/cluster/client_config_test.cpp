#include "cluster/client_config.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "bytes/error.hpp"

namespace winadmit::cluster {
namespace {

TEST(ClientConfig, ParsesTheUrlOfAServer) {
  EXPECT_EQ(parse_server_url("https://api.example").host, "api.example");
  EXPECT_EQ(parse_server_url("https://api.example").port, "443");
  EXPECT_EQ(parse_server_url("https://127.0.0.1:6443/").port, "6443");
  EXPECT_EQ(parse_server_url("https://[fd00::1]:6443").host, "fd00::1");
  EXPECT_EQ(parse_server_url("https://[fd00::1]:6443").port, "6443");
}

TEST(ClientConfig, RefusesOtherUrls) {
  for (const char* url :
       {"", "http://a", "https://", "https://:1", "https://a:", "https://a:b", "https://a/b",
        "https://[::1", "https://[zz]", "https://[10.0.0.1]", "https://[::1]x", "https://u@a",
        "https://a//", "https://a?b", "https://a#b", "https://a b", "https://a:65536"})
    EXPECT_THROW(parse_server_url(url), Error) << url;
  EXPECT_THROW(parse_server_url("https://" + std::string(100'000, 'a')), Error);
}

TEST(ClientConfig, DoesNotRepeatThePasswordOfAUrl) {
  try {
    parse_server_url("https://user:hunter2@api.example");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the URL of the server must not have a user or a password");
  }
}

TEST(ClientConfig, WritesTheAuthorityOfAUrl) {
  for (const std::string text : {"api.example:443", "10.0.0.1:6443", "[fd00::1]:6443"})
    EXPECT_EQ(authority(parse_server_url("https://" + text)), text);
}

TEST(ClientConfig, NeedsTheEnvironmentOfAPod) {
  unsetenv("KUBERNETES_SERVICE_HOST");
  EXPECT_THROW(in_cluster_config(), Error);
  setenv("KUBERNETES_SERVICE_HOST", "10.0.0.1", 1);
  setenv("KUBERNETES_SERVICE_PORT", "443", 1);
  EXPECT_EQ(in_cluster_config().host, "10.0.0.1");
  EXPECT_EQ(in_cluster_config().token_file, "/var/run/secrets/kubernetes.io/serviceaccount/token");
}

}  // namespace
}  // namespace winadmit::cluster
