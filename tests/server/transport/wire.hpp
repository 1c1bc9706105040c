// A server in this process, so that the sanitizers see it, and a client that can misbehave.
#pragma once

#include <openssl/ssl.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "certs/pair.hpp"
#include "server/server.hpp"

namespace winadmit::test {

/// Serves on loopback ports of the system's choice until stop(), which sends SIGTERM as a kubelet
/// would. One at a time: the signal is the process's.
class TestServer {
 public:
  explicit TestServer(const std::function<void(server::Options&)>& change = {});
  ~TestServer() { stop(); }
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;

  std::uint16_t port() const { return port_; }
  std::uint16_t admin_port() const { return admin_port_; }

  static void terminate();
  void join();  // until serve() has returned
  void stop();

  /// The body of a GET on the admin port; "STATUS " goes before it.
  std::string admin(const std::string& path) const;

  /// Whether a line of /metrics comes to end with this within five seconds.
  bool comes_to_count(const std::string& end_of_line) const;

 private:
  server::Options options_;
  std::uint16_t port_ = 0;
  std::uint16_t admin_port_ = 0;
  std::thread thread_;
};

struct WireReply {
  int status = 0;  // 0: the connection ended
  std::string head;
  std::string body;
  bool says_close() const { return head.find("\r\nConnection: close") != std::string::npos; }
};

/// A blocking TCP connection that gives up after ten seconds.
class Plain {
 public:
  /// `from`: the address of this side.
  explicit Plain(std::uint16_t port, const char* from = "127.0.0.1");
  ~Plain() { close(); }
  Plain(const Plain&) = delete;
  Plain& operator=(const Plain&) = delete;
  bool send(std::string_view bytes) const;
  /// Up to `size` bytes; "" at the end.
  std::string receive(std::size_t size = 65536) const;
  /// The server closes, before this side gives up, and sends nothing more.
  bool ends() const;
  void close();
  int descriptor() const { return socket_; }

 private:
  int socket_ = -1;
};

struct ClientOptions {
  int version = 0;               // TLS1_2_VERSION: that alone
  const char* cipher = nullptr;  // of the version, by OpenSSL's name: that alone
  const certs::Pair* pair = nullptr;
  const char* from = "127.0.0.1";  // the address of this side
};

/// A TLS connection on top of it.
class Client {
 public:
  explicit Client(std::uint16_t port, const ClientOptions& options = {});

  bool connected() const { return connected_; }
  const char* version() const { return SSL_get_version(ssl_.get()); }
  const char* cipher() const { return SSL_get_cipher(ssl_.get()); }
  bool send(std::string_view bytes);
  /// New keys with the next bytes, in both directions.
  bool update_keys() { return SSL_key_update(ssl_.get(), SSL_KEY_UPDATE_REQUESTED) == 1; }
  /// A part only of the record that the bytes make: `size` bytes, or all but one. Nothing can be
  /// sent afterwards.
  bool send_part(std::string_view bytes, std::size_t size = std::string_view::npos);
  /// Asks for new keys so often, all in one segment.
  bool send_key_updates(int count);
  /// All in one segment: the bytes, TLS's goodbye if wanted, the end of what this side says.
  bool send_last(std::string_view bytes, bool goodbye = true);
  WireReply read_reply();
  WireReply read_head();
  /// The server closes, before this side gives up, and sends nothing more.
  bool ends();
  void close();  // without a goodbye

  WireReply post(std::string_view body, std::string_view target = "/validate",
                 std::string_view extra_headers = "");

 private:
  bool receive();

  Plain plain_;
  std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> context_;
  std::unique_ptr<SSL, void (*)(SSL*)> ssl_;
  bool connected_ = false;
  std::string arrived_;
};

/// A POST as the API server makes it.
std::string post_request(std::string_view body, std::string_view target = "/validate?timeout=10s",
                         std::string_view extra_headers = "");

/// A review of a pod whose annotation has `padding` bytes.
std::string review(std::string_view uid, std::size_t padding = 0,
                   std::string_view spec = R"({"nodeSelector":{"kubernetes.io/os":"windows"}})");

/// A review of a Windows pod that breaks a rule `count` times.
std::string review_with_findings(std::string_view uid, int count);

bool answers(const WireReply& reply, std::string_view uid);

/// Any fresh client is served.
bool is_alive(const TestServer& server);

}  // namespace winadmit::test
