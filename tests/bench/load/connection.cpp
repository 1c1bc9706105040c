#include "tests/bench/load/connection.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <system_error>

namespace winadmit::bench {
namespace {

constexpr std::size_t kRecord = 16 * 1024;
constexpr std::size_t kSendAt = 64 * 1024;      // encrypted bytes for one system call
constexpr std::size_t kMaxUnsent = 256 * 1024;  // encrypted bytes; then OpenSSL has to wait

}  // namespace

Connection::Connection(SSL_CTX* context, std::uint16_t port, const Request& request,
                       ResponseChecker& checker, std::uint32_t number)
    : request_(request), checker_(checker), uid_(Request::kUidSize, '0'), number_(number) {
  socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    const int error = errno;
    ::close(socket_);
    throw std::system_error(error, std::generic_category(), "connect");
  }
  const int on = 1;
  ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);

  ssl_.reset(SSL_new(context));
  BIO* bio = BIO_new(bio_method());
  BIO_set_data(bio, this);
  BIO_set_init(bio, 1);
  SSL_set_bio(ssl_.get(), bio, bio);
  SSL_set_connect_state(ssl_.get());

  in_.resize(kRecord + 1024);
  plain_.resize(kRecord);
  first_ = request_.bytes().substr(0, std::min(request_.size(), kRecord));
}

Connection::~Connection() {
  // RST, so that a benchmark of handshakes leaves no ports in TIME_WAIT.
  const linger reset{.l_onoff = 1, .l_linger = 0};
  ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
  ::close(socket_);
}

void Connection::start_request(std::uint64_t now) {
  started_at_ = now;
  in_flight_ = true;
  written_ = 0;
  std::snprintf(uid_.data(), uid_.size() + 1, "%08x-0000-4000-8000-%012x", number_, ++count_);
  std::memcpy(first_.data() + request_.uid_at(), uid_.data(), uid_.size());
}

Connection::Progress Connection::advance() {
  drained_ = false;
  if (!SSL_is_init_finished(ssl_.get()) && !shake_hands()) {
    if (ended_ && fault_.empty()) fault_ = "closed by the server";
    return fault_.empty() ? Progress::waiting : Progress::closed;
  }
  for (;;) {
    if (in_flight_ && written_ < request_.size()) write_some();
    flush();
    if (!fault_.empty()) return Progress::closed;
    const bool read = read_some();
    // A server that discards the body may respond early. The request must be sent as a whole.
    if (in_flight_ && written_ == request_.size() && out_.empty()) {
      const Progress progress = take_response();
      if (progress != Progress::waiting) return progress;
    }
    if (!read) {
      if (ended_ && fault_.empty()) fault_ = "closed by the server";
      return fault_.empty() ? Progress::waiting : Progress::closed;
    }
  }
}

bool Connection::shake_hands() {
  const int done = SSL_do_handshake(ssl_.get());
  if (done != 1 && SSL_get_error(ssl_.get(), done) == SSL_ERROR_SSL)
    fault_ = "TLS handshake failed";
  ERR_clear_error();
  flush();
  return done == 1;
}

void Connection::write_some() {
  while (written_ < request_.size()) {
    // Only the first record contains the uid. The others are the same for all connections.
    const std::string_view from =
        written_ < first_.size() ? std::string_view(first_) : request_.bytes();
    const std::size_t size = std::min(kRecord, from.size() - written_);
    std::size_t done = 0;
    if (SSL_write_ex(ssl_.get(), from.data() + written_, size, &done) != 1) {
      const int error = SSL_get_error(ssl_.get(), 0);
      if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE)
        fault_ = "TLS write failed";
      ERR_clear_error();
      return;
    }
    written_ += done;
  }
}

void Connection::flush() {
  while (out_sent_ < out_.size()) {
    const ssize_t sent = ::send(socket_, out_.data() + out_sent_, out_.size() - out_sent_,
                                MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0) {
      if (errno != EAGAIN) fault_ = std::string("send: ") + std::strerror(errno);
      return;
    }
    out_sent_ += static_cast<std::size_t>(sent);
  }
  out_.clear();
  out_sent_ = 0;
}

bool Connection::read_some() {
  if (plain_size_ == plain_.size()) plain_.resize(plain_.size() * 2);
  std::size_t got = 0;
  if (SSL_read_ex(ssl_.get(), plain_.data() + plain_size_, plain_.size() - plain_size_, &got) ==
      1) {
    plain_size_ += got;
    return true;
  }
  const int error = SSL_get_error(ssl_.get(), 0);
  if (error == SSL_ERROR_ZERO_RETURN) ended_ = true;
  if (error == SSL_ERROR_SSL) fault_ = "TLS read failed";
  ERR_clear_error();
  return false;
}

Connection::Progress Connection::take_response() {
  std::string_view head;
  std::string_view body;
  const auto size = find_response({plain_.data(), plain_size_}, head, body, scratch_);
  if (!size) return Progress::waiting;
  fault_ = checker_.fault(head, body, uid_);
  if (*size != plain_size_) fault_ = "more bytes than one answer";
  plain_size_ = 0;
  in_flight_ = false;
  return Progress::done;
}

BIO_METHOD* Connection::bio_method() {
  static BIO_METHOD* const method = [] {
    BIO_METHOD* made = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "flat buffers");
    BIO_meth_set_read(made, &Connection::bio_read);
    BIO_meth_set_write(made, &Connection::bio_write);
    BIO_meth_set_ctrl(made, &Connection::bio_control);
    return made;
  }();
  return method;
}

int Connection::bio_read(BIO* bio, char* data, int size) {
  auto& self = *static_cast<Connection*>(BIO_get_data(bio));
  BIO_clear_retry_flags(bio);
  if (self.in_begin_ == self.in_end_) {
    if (!self.drained_ && !self.ended_) {
      const ssize_t got = ::recv(self.socket_, self.in_.data(), self.in_.size(), MSG_DONTWAIT);
      self.drained_ = got < static_cast<ssize_t>(self.in_.size());
      if (got == 0 || (got < 0 && errno != EAGAIN)) self.ended_ = true;
      self.in_begin_ = 0;
      self.in_end_ = got > 0 ? static_cast<std::size_t>(got) : 0;
    }
    if (self.in_begin_ == self.in_end_) {
      BIO_set_retry_read(bio);
      return -1;
    }
  }
  const std::size_t taken = std::min(static_cast<std::size_t>(size), self.in_end_ - self.in_begin_);
  std::memcpy(data, self.in_.data() + self.in_begin_, taken);
  self.in_begin_ += taken;
  return static_cast<int>(taken);
}

int Connection::bio_write(BIO* bio, const char* data, int size) {
  auto& self = *static_cast<Connection*>(BIO_get_data(bio));
  BIO_clear_retry_flags(bio);
  if (self.out_.size() - self.out_sent_ >= kSendAt) self.flush();
  if (self.out_.size() - self.out_sent_ >= kMaxUnsent) {
    BIO_set_retry_write(bio);
    return -1;
  }
  self.out_.insert(self.out_.end(), data, data + size);
  return size;
}

long Connection::bio_control(BIO*, int command, long, void*) {
  return command == BIO_CTRL_FLUSH ? 1 : 0;
}

}  // namespace winadmit::bench
