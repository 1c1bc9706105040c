// Reads an HTTP/1.1 request by Beast's parser, and refuses what Go's net/http refuses. What is
// needed of the head is copied, so nothing points into the bytes that were parsed.
#pragma once

#include <boost/beast/http/basic_parser.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "server/transport/receive_buffer.hpp"

namespace winadmit::server {

struct HttpLimits {
  std::size_t header = 16 * 1024;
  std::size_t body = 7 * 1024 * 1024;  // an UPDATE carries two objects
};

struct RequestHead {
  std::string method;
  std::string target;  // path and query, whatever the form that the client chose
  std::string content_type;
  std::size_t content_length = 0;
  bool chunked = false;
  bool expects_continue = false;
  bool keep_alive = true;
};

/// Why a request is refused before anyone looks at it: an HTTP status and a line for a person. The
/// connection is closed afterwards.
struct HttpError {
  int status;
  std::string line;
};

/// There is no memory for the request. The cluster's failurePolicy decides.
HttpError busy_error();

HttpError head_limit_error(const HttpLimits& limits);

/// The size of the head that `bytes` begin with, its empty line included; nothing if its end has
/// not arrived. The first `searched` bytes were searched before.
std::optional<std::size_t> find_head_end(std::string_view bytes, std::size_t searched);

/// Parses one request: its head as a whole, then a chunked body piece by piece.
class RequestParser : private boost::beast::http::basic_parser<true> {
 public:
  explicit RequestParser(const HttpLimits& limits);

  /// Reads a head that find_head_end() has found. Once.
  std::optional<HttpError> parse_head(std::string_view bytes);

  const RequestHead& head() const { return head_; }

  /// Reads the next bytes of a chunked body from the beginning of `input`, consumes them, and
  /// appends the content of chunks to `body`.
  std::optional<HttpError> parse_chunks(ReceiveBuffer& input, ReceiveBuffer& body);
  bool is_body_complete() const { return is_done(); }

 private:
  using error_code = boost::beast::error_code;
  using string_view = boost::beast::string_view;
  using Verb = boost::beast::http::verb;
  using Field = boost::beast::http::field;

  void refuse(int status, std::string line);
  std::optional<HttpError> check_head();
  HttpError to_http_error(error_code error) const;
  void read_transfer_encoding(std::string_view value);
  void read_content_length(std::string_view value);
  bool is_framing_excessive(const ReceiveBuffer& body) const;
  void read_expect(std::string_view value);

  void on_request_impl(Verb, string_view method, string_view target, int version,
                       error_code&) override;
  void on_field_impl(Field name, string_view, string_view value, error_code&) override;
  std::size_t on_chunk_body_impl(std::uint64_t, string_view bytes, error_code& error) override;
  void on_response_impl(int, string_view, int, error_code&) override {}
  void on_header_impl(error_code&) override { in_head_ = false; }
  void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
  std::size_t on_body_impl(string_view, error_code&) override { return 0; }
  void on_chunk_header_impl(std::uint64_t size, string_view, error_code& error) override;
  void on_finish_impl(error_code&) override {}

  const HttpLimits& limits_;
  RequestHead head_;
  std::optional<HttpError> error_;  // the first
  ReceiveBuffer* body_ = nullptr;
  int version_ = 0;  // 11 for HTTP/1.1
  int hosts_ = 0;
  int content_lengths_ = 0;
  std::size_t chunks_ = 0;
  std::size_t chunked_bytes_ = 0;  // that were consumed, framing included
  bool in_head_ = true;
};

}  // namespace winadmit::server
