#include "tests/server/transport/wire.hpp"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <future>
#include <stdexcept>

#include "server/telemetry/log.hpp"

namespace winadmit::test {

TestServer::TestServer(const std::function<void(server::Options&)>& change) {
  std::signal(SIGPIPE, SIG_IGN);
  server::set_up_logging(spdlog::level::off, server::LogFormat::json);
  options_.dev = true;
  options_.listen = "127.0.0.1:0";
  options_.admin_listen = "127.0.0.1:0";
  options_.threads = 2;
  options_.drain_delay = std::chrono::milliseconds(0);
  options_.drain_timeout = std::chrono::milliseconds(5000);
  if (change) change(options_);
  std::promise<void> started;
  thread_ = std::thread([this, &started] {
    try {
      server::serve(options_, [&](const server::Tcp::endpoint& endpoint,
                                  const server::Tcp::endpoint& admin_endpoint) {
        port_ = endpoint.port();
        admin_port_ = admin_endpoint.port();
        started.set_value();
      });
    } catch (...) {
      started.set_exception(std::current_exception());
    }
  });
  try {
    started.get_future().get();
  } catch (...) {
    thread_.join();
    throw;
  }
}

void TestServer::terminate() { ::kill(::getpid(), SIGTERM); }

void TestServer::join() {
  if (thread_.joinable()) thread_.join();
}

void TestServer::stop() {
  if (!thread_.joinable()) return;
  terminate();
  join();
}

std::string TestServer::admin(const std::string& path) const {
  const Plain plain(admin_port_);
  plain.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  std::string all;
  for (std::string some = plain.receive(); !some.empty(); some = plain.receive()) all += some;
  const std::size_t head = all.find("\r\n\r\n");
  if (head == std::string::npos) return all;
  return all.substr(9, 3) + ' ' + all.substr(head + 4);
}

bool TestServer::comes_to_count(const std::string& end_of_line) const {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (admin("/metrics").find(end_of_line + '\n') == std::string::npos) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

Plain::Plain(std::uint16_t port, const char* from) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
  const timeval patience{.tv_sec = 10, .tv_usec = 0};
  ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
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

bool Plain::send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const auto count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

std::string Plain::receive(std::size_t size) const {
  std::string bytes(size, '\0');
  const auto count = ::recv(socket_, bytes.data(), bytes.size(), 0);
  bytes.resize(static_cast<std::size_t>(std::max<decltype(count)>(0, count)));
  return bytes;
}

bool Plain::ends() const {
  char byte = 0;
  const auto count = ::recv(socket_, &byte, 1, 0);
  return count == 0 || (count < 0 && errno == ECONNRESET);
}

void Plain::close() {
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
}

Client::Client(std::uint16_t port, const ClientOptions& options)
    : plain_(port, options.from),
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
  ssl_.reset(SSL_new(context_.get()));
  SSL_set_fd(ssl_.get(), plain_.descriptor());
  connected_ = SSL_connect(ssl_.get()) == 1;
}

bool Client::send(std::string_view bytes) {
  std::size_t written = 0;
  ERR_clear_error();
  return bytes.empty() || SSL_write_ex(ssl_.get(), bytes.data(), bytes.size(), &written) == 1;
}

bool Client::send_part(std::string_view bytes, std::size_t size) {
  BIO* const record = BIO_new(BIO_s_mem());
  SSL_set0_wbio(ssl_.get(), record);
  const char* encrypted = nullptr;
  if (!send(bytes)) return false;
  const auto whole = static_cast<std::size_t>(BIO_get_mem_data(record, &encrypted));
  return plain_.send({encrypted, std::min(size, whole - 1)});
}

bool Client::send_key_updates(int count) {
  const int yes = 1, no = 0;
  ::setsockopt(plain_.descriptor(), IPPROTO_TCP, TCP_CORK, &yes, sizeof yes);
  bool is_sent = true;
  for (int i = 0; i < count; ++i) is_sent &= update_keys() && SSL_do_handshake(ssl_.get()) == 1;
  ::setsockopt(plain_.descriptor(), IPPROTO_TCP, TCP_CORK, &no, sizeof no);
  return is_sent;
}

bool Client::send_last(std::string_view bytes, bool goodbye) {
  const int yes = 1;
  ::setsockopt(plain_.descriptor(), IPPROTO_TCP, TCP_CORK, &yes, sizeof yes);
  return send(bytes) && (!goodbye || SSL_shutdown(ssl_.get()) == 0) &&
         ::shutdown(plain_.descriptor(), SHUT_WR) == 0;
}

bool Client::receive() {
  char some[16384];
  std::size_t count = 0;
  ERR_clear_error();
  if (SSL_read_ex(ssl_.get(), some, sizeof some, &count) != 1) return false;
  arrived_.append(some, count);
  return true;
}

WireReply Client::read_head() {
  WireReply reply;
  std::size_t end;
  while ((end = arrived_.find("\r\n\r\n")) == std::string::npos) {
    if (!receive()) return reply;
  }
  reply.head = arrived_.substr(0, end + 2);
  arrived_.erase(0, end + 4);
  reply.status = std::stoi(reply.head.substr(9, 3));
  return reply;
}

WireReply Client::read_reply() {
  WireReply reply = read_head();
  if (reply.status == 0) return reply;
  std::size_t size = 0;
  if (const std::size_t at = reply.head.find("Content-Length: "); at != std::string::npos) {
    size = std::stoul(reply.head.substr(at + 16));
  }
  while (arrived_.size() < size) {
    if (!receive()) return {};
  }
  reply.body = arrived_.substr(0, size);
  arrived_.erase(0, size);
  return reply;
}

bool Client::ends() {
  if (!arrived_.empty()) return false;
  char byte = 0;
  std::size_t count = 0;
  ERR_clear_error();
  const int result = SSL_read_ex(ssl_.get(), &byte, 1, &count);
  return result != 1 && SSL_get_error(ssl_.get(), result) != SSL_ERROR_WANT_READ;
}

void Client::close() { plain_.close(); }

WireReply Client::post(std::string_view body, std::string_view target,
                       std::string_view extra_headers) {
  if (!send(post_request(body, target, extra_headers))) return {};
  return read_reply();
}

std::string post_request(std::string_view body, std::string_view target,
                         std::string_view extra_headers) {
  std::string request = "POST " + std::string(target) + " HTTP/1.1\r\nHost: localhost\r\n";
  request += "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size());
  request += "\r\n";
  request.append(extra_headers).append("\r\n").append(body);
  return request;
}

std::string review(std::string_view uid, std::size_t padding, std::string_view spec) {
  std::string text =
      R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":")";
  text.append(uid).append(R"(","kind":{"kind":"Pod"},"operation":"CREATE","object":{"metadata":)");
  text.append(R"({"annotations":{"a":")").append(padding, 'x').append(R"("}},"spec":)");
  return text.append(spec).append("}}}");
}

std::string review_with_findings(std::string_view uid, int count) {
  std::string volumes;
  for (int i = 0; i < count; ++i) volumes.append(i == 0 ? "" : ",").append(R"({"nfs":{}})");
  return review(uid, 0,
                R"({"nodeSelector":{"kubernetes.io/os":"windows"},"volumes":[)" + volumes + "]}");
}

bool answers(const WireReply& reply, std::string_view uid) {
  return reply.status == 200 &&
         reply.body.find("\"uid\":\"" + std::string(uid) + '"') != std::string::npos;
}

bool is_alive(const TestServer& server) {
  Client client(server.port());
  return answers(client.post(review("alive")), "alive");
}

}  // namespace winadmit::test
