// The whole server in the test's process, so that the sanitizers see it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <thread>

#include "server/server.hpp"
#include "tests/server/transport/tls_client.hpp"

namespace winadmit::test {

/// Serves on free loopback ports until stop(). Only one at a time, because SIGTERM is for the whole
/// process.
class TestServer {
 public:
  explicit TestServer(const std::function<void(server::Options&)>& change_options = {});
  ~TestServer() { stop(); }
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;

  std::uint16_t port() const { return port_; }
  std::uint16_t admin_port() const { return admin_port_; }

  /// What a kubelet does to stop a container.
  static void send_sigterm();
  void join();  // until serve() has returned
  void stop();

  /// GET on the admin port: "STATUS BODY".
  std::string admin(const std::string& path) const { return http_get(admin_port_, path); }

  /// Returns whether /metrics has a line with this end, within ten seconds.
  bool reaches_metric(const std::string& end_of_line) const;

 private:
  server::Options options_;
  std::uint16_t port_ = 0;
  std::uint16_t admin_port_ = 0;
  std::thread thread_;
};

bool serves_a_new_client(const TestServer& server);

}  // namespace winadmit::test
