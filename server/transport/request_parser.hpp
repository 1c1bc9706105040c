// Parses HTTP/1.1 requests with Beast's parser, and rejects what Go's net/http rejects. The header
// is copied: nothing refers to the parsed bytes afterwards.
#pragma once

#include <boost/beast/http/basic_parser.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "server/transport/limits.hpp"
#include "server/transport/receive_buffer.hpp"

namespace winadmit::server {

struct RequestHeader {
  std::string method;
  std::string target;  // path and query, also of a target in absolute form
  std::string content_type;
  std::size_t content_length = 0;
  bool chunked = false;
  bool expects_continue = false;
  bool keep_alive = true;
  bool is_http_1_0 = false;
};

/// Why a request is rejected before it reaches the handler. The connection is closed after the
/// reply.
struct HttpError {
  int status;
  std::string message;
};

/// No memory for the request: 503. The failurePolicy of the webhook decides.
HttpError overload_error();

HttpError header_limit_error(const HttpLimits& limits);

/// The size of the header at the beginning of `bytes`, including its empty line, or nothing if it
/// is incomplete. `searched`: the size of `bytes` at the previous call for this header.
std::optional<std::size_t> find_header_end(std::string_view bytes, std::size_t searched);

/// Parses one request: its header as a whole, then a chunked body in pieces.
class RequestParser : private boost::beast::http::basic_parser<true> {
 public:
  explicit RequestParser(const HttpLimits& limits);

  /// Parses a header that find_header_end() has found. To be called once.
  std::optional<HttpError> parse_header(std::string_view bytes);

  const RequestHeader& header() const { return header_; }

  /// Consumes the next bytes of a chunked body from `input`, and appends the content of chunks to
  /// `body`.
  std::optional<HttpError> parse_chunks(ReceiveBuffer& input, ReceiveBuffer& body);
  bool is_body_complete() const { return is_done(); }

 private:
  using error_code = boost::beast::error_code;
  using string_view = boost::beast::string_view;
  using Verb = boost::beast::http::verb;
  using Field = boost::beast::http::field;

  void reject(int status, std::string message);
  std::optional<HttpError> check_header();
  HttpError to_http_error(error_code error) const;
  void check_transfer_encoding(std::string_view value);
  void check_content_length(std::string_view value);
  void check_expect(std::string_view value);
  bool is_framing_over_limit(const ReceiveBuffer& body) const;

  void on_request_impl(Verb, string_view method, string_view target, int version,
                       error_code&) override;
  void on_field_impl(Field name, string_view, string_view value, error_code&) override;
  std::size_t on_chunk_body_impl(std::uint64_t, string_view bytes, error_code& error) override;
  void on_response_impl(int, string_view, int, error_code&) override {}
  void on_header_impl(error_code&) override { is_in_trailer_ = true; }
  void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
  std::size_t on_body_impl(string_view, error_code&) override { return 0; }
  void on_chunk_header_impl(std::uint64_t size, string_view, error_code& error) override;
  void on_finish_impl(error_code&) override {}

  const HttpLimits& limits_;
  RequestHeader header_;
  std::optional<HttpError> error_;  // the first one
  ReceiveBuffer* body_ = nullptr;
  int version_ = 0;  // 11 for HTTP/1.1
  int hosts_ = 0;
  int content_types_ = 0;
  int content_lengths_ = 0;
  std::size_t chunks_ = 0;
  std::size_t chunked_bytes_ = 0;  // consumed so far, including framing
  bool is_in_trailer_ = false;
};

}  // namespace winadmit::server
