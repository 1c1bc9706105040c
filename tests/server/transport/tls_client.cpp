#include "tests/server/transport/tls_client.hpp"

#include <arpa/inet.h>
#include <linux/sockios.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>

#include "tests/eventually.hpp"

namespace winadmit::test {
namespace {

/// While `on`, the kernel sends full segments only.
void set_cork(int socket, bool on) {
  const int value = on ? 1 : 0;
  ::setsockopt(socket, IPPROTO_TCP, TCP_CORK, &value, sizeof value);
}

}  // namespace

bool answers(const Reply& reply, std::string_view uid) {
  return reply.status == 200 &&
         reply.body.find("\"uid\":\"" + std::string(uid) + '"') != std::string::npos;
}

TcpClient::TcpClient(std::uint16_t port, const char* from)
    : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
  const timeval timeout{.tv_sec = 10, .tv_usec = 0};
  ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
  ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
  const int yes = 1;
  ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  ::inet_pton(AF_INET, from, &address.sin_addr);
  const bool is_bound =
      ::bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (!is_bound ||
      ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    close();
  }
}

bool TcpClient::send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const auto count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

void TcpClient::wait_until_received() const {
  int unacknowledged = 0;
  eventually(
      [&] { return ::ioctl(socket_, SIOCOUTQ, &unacknowledged) != 0 || unacknowledged == 0; });
}

bool TcpClient::wait_until_read() const {
  const auto port = [this](auto get_address) {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    get_address(socket_, reinterpret_cast<sockaddr*>(&address), &size);
    return ntohs(address.sin_port);
  };
  const std::uint16_t own = port(::getsockname), server = port(::getpeername);
  wait_until_received();
  return eventually([&] { return kernel_bytes(server, own).unread == 0; });
}

std::string TcpClient::receive(std::size_t size) const {
  std::string bytes(size, '\0');
  const auto count = ::recv(socket_, bytes.data(), bytes.size(), 0);
  bytes.resize(static_cast<std::size_t>(std::max<decltype(count)>(0, count)));
  return bytes;
}

bool TcpClient::wait_for_close() const {
  char byte = 0;
  const auto count = ::recv(socket_, &byte, 1, 0);
  return count == 0 || (count < 0 && errno == ECONNRESET);
}

void TcpClient::close() {
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
}

KernelBytes kernel_bytes(std::uint16_t port, std::uint16_t peer) {
  std::ifstream table("/proc/net/tcp");
  KernelBytes sum;
  for (std::string line; std::getline(table, line);) {
    unsigned local = 0, remote = 0, unsent = 0, unread = 0;
    if (std::sscanf(line.c_str(), "%*s %*x:%x %*x:%x %*s %x:%x", &local, &remote, &unsent,
                    &unread) != 4) {
      continue;
    }
    if (local != port || (peer != 0 && remote != peer)) continue;
    sum.unsent += unsent;
    sum.unread += unread;
  }
  return sum;
}

std::string http_get(std::uint16_t port, const std::string& path) {
  const TcpClient client(port);
  client.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  std::string all;
  for (std::string some = client.receive(); !some.empty(); some = client.receive()) all += some;
  const std::size_t end = all.find("\r\n\r\n");
  if (end == std::string::npos) return all;
  return all.substr(9, 3) + ' ' + all.substr(end + 4);
}

TlsClient::TlsClient(std::uint16_t port, const ClientOptions& options)
    : tcp_(port, options.from),
      context_(SSL_CTX_new(TLS_client_method()), SSL_CTX_free),
      ssl_(nullptr, SSL_free) {
  if (options.version != 0) {
    SSL_CTX_set_min_proto_version(context_.get(), options.version);
    SSL_CTX_set_max_proto_version(context_.get(), options.version);
  }
  if (options.cipher != nullptr && options.version == TLS1_3_VERSION) {
    SSL_CTX_set_ciphersuites(context_.get(), options.cipher);
  } else if (options.cipher != nullptr) {
    SSL_CTX_set_cipher_list(context_.get(), options.cipher);
  }
  if (options.pair != nullptr) certs::use_pair(context_.get(), *options.pair);
  int verify_error = options.verify_error;
  if (verify_error != X509_V_OK) {
    SSL_CTX_set_verify(context_.get(), SSL_VERIFY_PEER, nullptr);
    SSL_CTX_set_cert_verify_callback(
        context_.get(),
        [](X509_STORE_CTX* store, void* error) {
          X509_STORE_CTX_set_error(store, *static_cast<int*>(error));
          return 0;
        },
        &verify_error);
  }
  ssl_.reset(SSL_new(context_.get()));
  SSL_set_fd(ssl_.get(), tcp_.descriptor());
  options.before_hello();
  if (!options.request.empty()) set_cork(tcp_.descriptor(), true);
  connected_ = SSL_connect(ssl_.get()) == 1 && send(options.request);
  set_cork(tcp_.descriptor(), false);
}

bool TlsClient::has_same_certificate(const TlsClient& other) const {
  return X509_cmp(SSL_get0_peer_certificate(ssl_.get()),
                  SSL_get0_peer_certificate(other.ssl_.get())) == 0;
}

bool TlsClient::send(std::string_view bytes) {
  std::size_t written = 0;
  ERR_clear_error();
  return bytes.empty() || SSL_write_ex(ssl_.get(), bytes.data(), bytes.size(), &written) == 1;
}

bool TlsClient::receive() {
  char some[16384];
  std::size_t count = 0;
  ERR_clear_error();
  if (SSL_read_ex(ssl_.get(), some, sizeof some, &count) != 1) return false;
  received_.append(some, count);
  return true;
}

Reply TlsClient::read_header() {
  Reply reply;
  std::size_t end;
  while ((end = received_.find("\r\n\r\n")) == std::string::npos) {
    if (!receive()) return reply;
  }
  reply.header = received_.substr(0, end + 2);
  received_.erase(0, end + 4);
  reply.status = std::stoi(reply.header.substr(9, 3));
  return reply;
}

Reply TlsClient::read_reply() {
  Reply reply = read_header();
  if (reply.status == 0) return reply;
  std::size_t size = 0;
  if (const std::size_t at = reply.header.find("Content-Length: "); at != std::string::npos) {
    size = std::stoul(reply.header.substr(at + 16));
  }
  while (received_.size() < size) {
    if (!receive()) return {};
  }
  reply.body = received_.substr(0, size);
  received_.erase(0, size);
  return reply;
}

Reply TlsClient::post(std::string_view body, std::string_view target, std::string_view fields) {
  if (!send(post_request(body, target, fields))) return {};
  return read_reply();
}

/// SSL_ERROR_NONE if there are bytes.
int TlsClient::error_of_read() {
  if (!received_.empty()) return SSL_ERROR_NONE;
  char byte = 0;
  std::size_t count = 0;
  ERR_clear_error();
  return SSL_get_error(ssl_.get(), SSL_read_ex(ssl_.get(), &byte, 1, &count));
}

bool TlsClient::wait_for_close() {
  const int error = error_of_read();
  return error != SSL_ERROR_NONE && error != SSL_ERROR_WANT_READ;
}

bool TlsClient::wait_for_close_notify() { return error_of_read() == SSL_ERROR_ZERO_RETURN; }

void TlsClient::close() { tcp_.close(); }

bool TlsClient::send_key_updates(int count) {
  set_cork(tcp_.descriptor(), true);
  bool is_sent = true;
  for (int i = 0; i < count; ++i) is_sent &= update_keys() && SSL_do_handshake(ssl_.get()) == 1;
  set_cork(tcp_.descriptor(), false);
  return is_sent;
}

std::string TlsClient::encrypt(std::string_view bytes) {
  BIO* const records = BIO_new(BIO_s_mem());
  SSL_set0_wbio(ssl_.get(), records);
  const char* encrypted = nullptr;
  const bool is_encrypted = send(bytes);
  const auto size = static_cast<std::size_t>(BIO_get_mem_data(records, &encrypted));
  std::string result(encrypted, is_encrypted ? size : 0);
  SSL_set_wfd(ssl_.get(), tcp_.descriptor());
  return result;
}

bool TlsClient::send_part_of_record(std::string_view bytes, std::size_t size) {
  const std::string record = encrypt(bytes);
  return !record.empty() && tcp_.send(record.substr(0, std::min(size, record.size() - 1)));
}

bool TlsClient::send_in_two_parts(std::string_view bytes, std::size_t first_part,
                                  const std::function<void()>& between) {
  const std::string record = encrypt(bytes);
  if (record.size() <= first_part || !tcp_.send(record.substr(0, first_part))) return false;
  if (!tcp_.wait_until_read()) return false;
  between();
  return tcp_.send(record.substr(first_part));
}

bool TlsClient::send_and_shut_down(std::string_view bytes, Ending ending) {
  set_cork(tcp_.descriptor(), true);
  bool is_sent = send(bytes);
  if (ending != Ending::fin) is_sent &= SSL_shutdown(ssl_.get()) == 0;
  if (ending != Ending::close_notify) is_sent &= ::shutdown(tcp_.descriptor(), SHUT_WR) == 0;
  set_cork(tcp_.descriptor(), false);
  return is_sent;
}

}  // namespace winadmit::test
