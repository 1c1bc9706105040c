// A keep-alive TLS client connection, driven by the epoll of its caller. OpenSSL reads and writes
// flat buffers, so that a request of many records needs few system calls: the generator must need
// less CPU time than the measured servers.
#pragma once

#include <openssl/ssl.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/bench/load/request.hpp"
#include "tests/bench/load/response.hpp"

namespace winadmit::bench {

struct FreeSsl {
  void operator()(SSL* ssl) const { SSL_free(ssl); }
};

class Connection {
 public:
  enum class Progress { waiting, done, closed };

  Connection(SSL_CTX* context, std::uint16_t port, const Request& request, ResponseChecker& checker,
             std::uint32_t number);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  int socket() const { return socket_; }

  /// Starts the next request. The previous response must be complete.
  void start_request(std::uint64_t now);

  /// Sends and receives until a response is complete or the socket would block.
  Progress advance();

  std::uint64_t started_at() const { return started_at_; }

  /// What is wrong with the last response, or why the connection ended. Empty if it is correct.
  const std::string& fault() const { return fault_; }

 private:
  static BIO_METHOD* bio_method();
  static int bio_read(BIO* bio, char* data, int size);
  static int bio_write(BIO* bio, const char* data, int size);
  static long bio_control(BIO* bio, int command, long, void*);

  bool shake_hands();
  void write_some();
  void flush();
  bool read_some();
  Progress take_response();

  int socket_ = -1;
  std::unique_ptr<SSL, FreeSsl> ssl_;
  const Request& request_;
  ResponseChecker& checker_;

  std::string uid_;
  std::string first_;        // the start of the request, with this connection's uid
  std::size_t written_ = 0;  // bytes of the request given to TLS
  std::uint32_t number_;
  std::uint32_t count_ = 0;
  std::uint64_t started_at_ = 0;
  bool in_flight_ = false;

  std::vector<char> out_;  // encrypted, not yet sent
  std::size_t out_sent_ = 0;
  std::vector<char> in_;  // encrypted, not yet read by TLS
  std::size_t in_begin_ = 0;
  std::size_t in_end_ = 0;
  bool drained_ = false;  // the last receive left the socket empty
  bool ended_ = false;

  std::vector<char> plain_;  // the answer so far
  std::size_t plain_size_ = 0;
  std::string scratch_;
  std::string fault_;
};

}  // namespace winadmit::bench
