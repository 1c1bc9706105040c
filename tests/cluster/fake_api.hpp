// An API server of a few lines: TLS on loopback, and a function from request to response. It keeps
// the requests that it got.
#pragma once

#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "certs/pair.hpp"

namespace winadmit::test {

class FakeApi {
 public:
  struct Request {
    std::string method;
    std::string path;
    std::string authorization;
    std::string content_type;
    nlohmann::json body;
  };
  struct Response {
    int status = 200;
    nlohmann::json body = nlohmann::json::object();
    std::vector<std::string> warnings = {};  // values of Warning headers
  };
  using Handler = std::function<Response(const Request&)>;

  FakeApi(const certs::Pair& pair, Handler handler) : handler_(std::move(handler)) {
    certs::use_pair(tls_.native_handle(), pair);
    thread_ = std::thread([this] { serve(); });
  }
  FakeApi(const FakeApi&) = delete;
  FakeApi& operator=(const FakeApi&) = delete;
  ~FakeApi() {
    is_ending_ = true;
    boost::asio::io_context loop;
    boost::asio::ip::tcp::socket(loop).connect(acceptor_.local_endpoint());  // wakes accept()
    thread_.join();
  }

  std::string port() const { return std::to_string(acceptor_.local_endpoint().port()); }

  /// Read when no call is under way.
  const std::vector<Request>& requests() const { return requests_; }

 private:
  void serve() {
    while (true) {
      boost::asio::ip::tcp::socket socket(loop_);
      acceptor_.accept(socket);
      if (is_ending_) return;
      try {
        answer(std::move(socket));
      } catch (const boost::system::system_error&) {
        // A client that trusts another CA, or reads the certificate and sends no request.
      }
    }
  }

  void answer(boost::asio::ip::tcp::socket socket) {
    namespace http = boost::beast::http;
    boost::asio::ssl::stream<boost::asio::ip::tcp::socket> stream(std::move(socket), tls_);
    stream.handshake(boost::asio::ssl::stream_base::server);
    boost::beast::flat_buffer buffer;
    http::request<http::string_body> request;
    http::read(stream, buffer, request);
    requests_.push_back({.method = std::string(request.method_string()),
                         .path = std::string(request.target()),
                         .authorization = std::string(request[http::field::authorization]),
                         .content_type = std::string(request[http::field::content_type]),
                         .body = nlohmann::json::parse(request.body(), nullptr, false)});
    const Response answer = handler_(requests_.back());
    http::response<http::string_body> response(static_cast<http::status>(answer.status), 11,
                                               answer.body.dump());
    for (const std::string& warning : answer.warnings)
      response.insert(http::field::warning, warning);
    response.prepare_payload();
    http::write(stream, response);
  }

  Handler handler_;
  std::vector<Request> requests_;
  boost::asio::io_context loop_;
  boost::asio::ssl::context tls_{boost::asio::ssl::context::tls_server};
  boost::asio::ip::tcp::acceptor acceptor_{loop_, {boost::asio::ip::address_v4::loopback(), 0}};
  std::atomic<bool> is_ending_ = false;
  std::thread thread_;
};

}  // namespace winadmit::test
