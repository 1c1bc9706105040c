#include "server/transport/request_parser.hpp"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/beast/http/error.hpp>

#include "text/text.hpp"

namespace winadmit::server {
namespace {

namespace http = boost::beast::http;

std::string_view to_std(boost::beast::string_view text) { return {text.data(), text.size()}; }

bool is_host_byte(char byte) {
  static constexpr std::string_view kOthers = "!$%&'()*+,-.:;=[]_~";  // RFC 3986, host and port
  return is_alphanumeric(byte) || kOthers.find(byte) != std::string_view::npos;
}

/// "/path?query" for "http://host/path?query" (RFC 9112, absolute-form), or nothing for other
/// forms.
std::optional<std::string_view> to_origin_form(std::string_view target) {
  if (target.starts_with('/')) return target;
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!equals_ignoring_case(target.substr(0, scheme.size()), scheme)) continue;
    const std::string_view rest = target.substr(scheme.size());
    const std::size_t path = rest.find_first_of("/?");
    if (path == 0) return std::nullopt;  // no host
    return path == std::string_view::npos || rest[path] == '?' ? "/" : rest.substr(path);
  }
  return std::nullopt;
}

}  // namespace

HttpError overload_error() { return {503, "the server is overloaded: try again later"}; }

HttpError header_limit_error(const HttpLimits& limits) {
  return {431, "the request header is larger than " + std::to_string(limits.max_header) + " bytes"};
}

std::optional<std::size_t> find_header_end(std::string_view bytes, std::size_t searched) {
  // The end may begin in the searched bytes. An empty line without CR counts as well, so that the
  // parser rejects it at once; otherwise the client would wait for its timeout.
  std::size_t at = bytes.find('\n', searched < 2 ? 0 : searched - 2);
  while (at != std::string_view::npos) {
    const std::string_view rest = bytes.substr(at + 1);
    if (rest.starts_with("\r\n")) return at + 3;
    if (rest.starts_with('\n')) return at + 2;
    at = bytes.find('\n', at + 1);
  }
  return std::nullopt;
}

RequestParser::RequestParser(const HttpLimits& limits) : limits_(limits) {
  header_limit(static_cast<std::uint32_t>(limits.max_header));
  body_limit(limits.max_body);
  eager(false);
}

std::optional<HttpError> RequestParser::parse_header(std::string_view bytes) {
  // RFC 9112, 5.2: a server may reject folded header lines. Beast would pass them as views of its
  // own stack.
  if (bytes.find("\n ") != std::string_view::npos || bytes.find("\n\t") != std::string_view::npos) {
    return HttpError{400, "not HTTP/1.1: folded header line"};
  }
  error_code error;
  put(boost::asio::buffer(bytes.data(), bytes.size()), error);
  if (error_) return error_;
  if (error) return to_http_error(error);
  if (!is_header_done()) return HttpError{400, "not HTTP/1.1: incomplete header"};
  return check_header();
}

std::optional<HttpError> RequestParser::check_header() {
  if (hosts_ != 1 && (hosts_ > 1 || version_ == 11)) {
    return HttpError{400, "not HTTP/1.1: exactly one Host field is required"};
  }
  header_.content_length = static_cast<std::size_t>(content_length().value_or(0));
  header_.chunked = chunked();
  if (header_.chunked && version_ != 11) {
    return HttpError{400, "not HTTP/1.1: Transfer-Encoding in HTTP/1.0"};
  }
  header_.keep_alive = keep_alive();
  header_.is_http_1_0 = version_ == 10;
  header_.expects_continue &= version_ == 11 && (header_.chunked || header_.content_length > 0);
  return std::nullopt;
}

/// Each line is limited to the size of a header, so that the result does not depend on how the body
/// is split. Beast parses a line, and all trailers, only as a whole.
std::optional<HttpError> RequestParser::parse_chunks(ReceiveBuffer& input, ReceiveBuffer& body) {
  body_ = &body;
  eager(true);
  // Beast would subtract the size of a chunk each time that it parses an incomplete line.
  body_limit(boost::none);
  while (!is_done() && !input.empty()) {
    const std::string_view bytes = input.bytes().substr(0, limits_.max_header);
    // Four bytes of the last chunk say nothing yet, and Beast asserts that it does not see them
    // after three.
    if (bytes.size() == 4 && bytes.starts_with("0\r\n")) break;
    error_code error;
    const std::size_t consumed = put(boost::asio::buffer(bytes.data(), bytes.size()), error);
    if (error && error != http::error::need_more) return to_http_error(error);
    if (consumed == 0 && bytes.size() < limits_.max_header) break;  // an incomplete line
    chunked_bytes_ += consumed;
    if (consumed == 0 || is_framing_over_limit(body)) return header_limit_error(limits_);
    input.consume(consumed);
  }
  return std::nullopt;
}

/// Chunk sizes, extensions and trailers have the limits of Go's net/http (CVE-2023-39326).
bool RequestParser::is_framing_over_limit(const ReceiveBuffer& body) const {
  return chunked_bytes_ - body.size() > limits_.max_header + 16 * chunks_ + 2 * body.size();
}

HttpError RequestParser::to_http_error(error_code error) const {
  if (error == http::error::header_limit) return header_limit_error(limits_);
  if (error == http::error::body_limit) {
    return {413, "the request body is larger than " + std::to_string(limits_.max_body) + " bytes"};
  }
  if (error == boost::asio::error::no_buffer_space) return overload_error();
  return {400, "not HTTP/1.1: " + error.message()};
}

void RequestParser::reject(int status, std::string message) {
  if (!error_) error_ = HttpError{status, std::move(message)};
}

void RequestParser::on_request_impl(Verb, string_view method, string_view target, int version,
                                    error_code&) {
  version_ = version;  // Beast accepts 1.0 and 1.1 only
  header_.method = to_std(method);
  const auto path = to_origin_form(to_std(target));
  if (!path) return reject(400, "not HTTP/1.1: the request target is not a path");
  header_.target = *path;
}

void RequestParser::on_field_impl(Field name, string_view, string_view text, error_code&) {
  if (is_in_trailer_) return;  // trailers are ignored
  const std::string_view value = to_std(text);
  switch (name) {
    case Field::content_type:
      if (++content_types_ == 1) header_.content_type = value;  // as Go's Header.Get
      break;
    case Field::content_length:
      check_content_length(value);
      break;
    case Field::transfer_encoding:
      check_transfer_encoding(value);
      break;
    case Field::expect:
      check_expect(value);
      break;
    case Field::host:
      ++hosts_;
      if (!std::ranges::all_of(value, is_host_byte)) reject(400, "not HTTP/1.1: invalid Host");
      break;
    default:
      break;
  }
}

/// Only "chunked" is allowed (RFC 9112, 6.1). Beast assumes no body for any other encoding, and
/// would read the body as the next request.
void RequestParser::check_transfer_encoding(std::string_view value) {
  if (!equals_ignoring_case(value, "chunked")) {
    reject(501, "the only supported Transfer-Encoding is chunked");
  }
}

/// Only one number is allowed. Beast accepts several equal ones.
void RequestParser::check_content_length(std::string_view value) {
  if (++content_lengths_ > 1 || value.find(',') != std::string_view::npos) {
    reject(400, "not HTTP/1.1: invalid Content-Length");
  }
}

void RequestParser::check_expect(std::string_view value) {
  if (!equals_ignoring_case(value, "100-continue")) {
    return reject(417, "the only supported expectation is 100-continue");
  }
  header_.expects_continue = true;
}

/// Beast accepts line breaks in quotes, where others see the end of the line.
void RequestParser::on_chunk_header_impl(std::uint64_t size, string_view extensions,
                                         error_code& error) {
  ++chunks_;
  if (extensions.find_first_of("\r\n") != string_view::npos)
    error = http::error::bad_chunk_extension;
  if (size > limits_.max_body - body_->size()) error = http::error::body_limit;
}

std::size_t RequestParser::on_chunk_body_impl(std::uint64_t, string_view bytes, error_code& error) {
  if (!body_->reserve(bytes.size())) {
    error = boost::asio::error::no_buffer_space;
    return 0;
  }
  bytes.copy(body_->free_begin(), bytes.size());
  body_->commit(bytes.size());
  return bytes.size();
}

}  // namespace winadmit::server
