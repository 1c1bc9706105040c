// Blocking clients that can misbehave. They give up after ten seconds.
#pragma once

#include <openssl/ssl.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "certs/pair.hpp"
#include "tests/server/transport/requests.hpp"

namespace winadmit::test {

struct Reply {
  int status = 0;  // 0: the connection was closed
  std::string header;
  std::string body;
  bool has_connection_close() const {
    return header.find("\r\nConnection: close") != std::string::npos;
  }
};

/// Whether this is the reply to the review with this uid.
bool answers(const Reply& reply, std::string_view uid);

class TcpClient {
 public:
  /// `from`: the address of this side.
  explicit TcpClient(std::uint16_t port, const char* from = "127.0.0.1");
  ~TcpClient() { close(); }
  TcpClient(const TcpClient&) = delete;
  TcpClient& operator=(const TcpClient&) = delete;
  bool send(std::string_view bytes) const;
  /// Returns when the system of the server has all that was sent.
  void wait_until_received() const;
  /// Returns whether the server reads all that was sent.
  bool wait_until_read() const;
  /// Up to `size` bytes, or none at the end.
  std::string receive(std::size_t size = 65536) const;
  /// Returns whether the server closes without sending more.
  bool wait_for_close() const;
  void close();
  int descriptor() const { return socket_; }

 private:
  int socket_ = -1;
};

/// Bytes in the kernel's buffers of the sockets of a port, all or those connected to `peer`.
struct KernelBytes {
  std::size_t unsent = 0, unread = 0;
};
KernelBytes kernel_bytes(std::uint16_t port, std::uint16_t peer = 0);

/// Sends GET and returns "STATUS BODY".
std::string http_get(std::uint16_t port, const std::string& path);

struct ClientOptions {
  int version = 0;               // only this one, such as TLS1_2_VERSION
  const char* cipher = nullptr;  // only this one, by OpenSSL's name
  const certs::Pair* pair = nullptr;
  int verify_error = X509_V_OK;    // what it finds wrong with the server's certificate
  const char* from = "127.0.0.1";  // the address of this side
  std::string_view request = {};   // is sent in one segment with the end of the handshake
  std::function<void()> before_hello = [] {};  // it is connected
};

/// How a client says that it sends no more. Go's CloseWrite sends close_notify alone.
enum class Ending { fin, close_notify, close_notify_and_fin };

class TlsClient {
 public:
  explicit TlsClient(std::uint16_t port, const ClientOptions& options = {});

  bool connected() const { return connected_; }
  const char* version() const { return SSL_get_version(ssl_.get()); }
  const char* cipher() const { return SSL_get_cipher(ssl_.get()); }
  /// Whether the server has shown the same certificate to both.
  bool has_same_certificate(const TlsClient& other) const;

  bool send(std::string_view bytes);
  void wait_until_received() const { tcp_.wait_until_received(); }
  bool wait_until_read() const { return tcp_.wait_until_read(); }
  Reply read_reply();
  Reply read_header();
  Reply post(std::string_view body, std::string_view target = "/validate",
             std::string_view fields = "");

  /// Returns whether the server closes without sending more.
  bool wait_for_close();
  /// Returns whether the server ends the TLS session, with close_notify, without sending more.
  bool wait_for_close_notify();
  void close();  // without close_notify

  /// Requests new keys for both directions with the next bytes.
  bool update_keys() { return SSL_key_update(ssl_.get(), SSL_KEY_UPDATE_REQUESTED) == 1; }
  /// Requests new keys `count` times in one segment.
  bool send_key_updates(int count);
  /// The records with these bytes, which are not sent. Empty after a failure.
  std::string encrypt(std::string_view bytes);
  /// Sends records of encrypt(). Another thread may read replies meanwhile.
  bool send_encrypted(std::string_view records) const { return tcp_.send(records); }
  /// Sends the first `size` bytes of the record with these bytes, or all but one. Nothing can be
  /// sent afterwards.
  bool send_part_of_record(std::string_view bytes, std::size_t size = std::string_view::npos);
  /// Sends the record with these bytes in two segments, and calls `between` when the server has
  /// read the first.
  bool send_in_two_parts(
      std::string_view bytes, std::size_t first_part = 100,
      const std::function<void()>& between = [] {});
  /// Sends the bytes, and the end of the session or of the connection or both, in one segment.
  bool send_and_shut_down(std::string_view bytes, Ending ending);

 private:
  bool receive();
  int error_of_read();

  TcpClient tcp_;
  std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> context_;
  std::unique_ptr<SSL, void (*)(SSL*)> ssl_;
  bool connected_ = false;
  std::string received_;
};

}  // namespace winadmit::test
