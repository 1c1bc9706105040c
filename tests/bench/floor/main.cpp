// The floor of the benchmark: a plain Boost.Beast TLS server that parses with simdjson and responds
// with the uid, without a policy and without optimization. On /refused it responds with as many bytes
// as a refusal has. Do not make it faster.
#include <simdjson.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using Stream = beast::ssl_stream<beast::tcp_stream>;

namespace {

const std::string kRefusal =
    R"(,"status":{"code":403,"message":")" + std::string(2'750, 'x') + "\"}";

http::response<http::string_body> answer(const http::request<http::string_body>& request,
                                         const std::string& patch) {
  thread_local simdjson::dom::parser parser;
  http::response<http::string_body> response{http::status::ok, request.version()};
  std::string_view uid;
  if (parser.parse(request.body())["request"]["uid"].get(uid) != simdjson::SUCCESS) {
    response.result(http::status::bad_request);
  } else {
    response.body() =
        R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":")" +
        std::string(uid) + R"(","allowed":true)" +
        (request.target().starts_with("/mutate")    ? patch
         : request.target().starts_with("/refused") ? kRefusal
                                                    : "") +
        "}}";
  }
  response.set(http::field::content_type, "application/json");
  response.keep_alive(request.keep_alive());
  response.prepare_payload();
  return response;
}

asio::awaitable<void> serve(Stream stream, const std::string& patch) {
  beast::get_lowest_layer(stream).expires_after(std::chrono::seconds(30));
  co_await stream.async_handshake(asio::ssl::stream_base::server, asio::use_awaitable);
  beast::flat_buffer buffer;
  for (;;) {
    beast::get_lowest_layer(stream).expires_after(std::chrono::seconds(30));
    http::request<http::string_body> request;
    co_await http::async_read(stream, buffer, request, asio::use_awaitable);
    const auto response = answer(request, patch);
    co_await http::async_write(stream, response, asio::use_awaitable);
    if (!response.keep_alive()) co_return;
  }
}

asio::awaitable<void> accept(tcp::acceptor acceptor, asio::ssl::context& context,
                             const std::string& patch) {
  for (;;) {
    auto socket = co_await acceptor.async_accept(asio::use_awaitable);
    socket.set_option(tcp::no_delay(true));
    asio::co_spawn(acceptor.get_executor(),
                   serve(Stream(beast::tcp_stream(std::move(socket)), context), patch),
                   asio::detached);
  }
}

}  // namespace

int main(int count, char** words) {
  if (count != 4 && count != 5) {
    std::fprintf(stderr, "usage: floor PORT CERT KEY [PATCH_FOR_MUTATE_IN_BASE64]\n");
    return 2;
  }
  asio::io_context io;
  asio::ssl::context context(asio::ssl::context::tlsv13_server);
  context.use_certificate_chain_file(words[2]);
  context.use_private_key_file(words[3], asio::ssl::context::pem);
  const std::string patch =
      count == 5 ? R"(,"patchType":"JSONPatch","patch":")" + std::string(words[4]) + '"' : "";
  const auto port = static_cast<unsigned short>(std::atoi(words[1]));
  asio::co_spawn(
      io, accept(tcp::acceptor(io, {asio::ip::address_v4::loopback(), port}), context, patch),
      asio::detached);
  io.run();
}
