#include "server/transport/request_parser.hpp"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/beast/http/error.hpp>

namespace winadmit::server {
namespace {

namespace http = boost::beast::http;

std::string_view view(boost::beast::string_view text) { return {text.data(), text.size()}; }

bool is_host_byte(char byte) {
  const bool is_alphanumeric =
      (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
  static constexpr std::string_view kOthers = "!$%&'()*+,-.:;=[]_~";  // RFC 3986, host and port
  return is_alphanumeric || kOthers.find(byte) != std::string_view::npos;
}

/// "http://host/path?query" to "/path?query" (RFC 9112, absolute-form). Nothing for what is no
/// path in either form.
std::optional<std::string_view> to_origin_form(std::string_view target) {
  if (target.starts_with('/')) return target;
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!boost::beast::iequals(target.substr(0, scheme.size()), scheme)) continue;
    const std::string_view rest = target.substr(scheme.size());
    const std::size_t path = rest.find_first_of("/?");
    if (path == 0) return std::nullopt;  // no host
    return path == std::string_view::npos || rest[path] == '?' ? "/" : rest.substr(path);
  }
  return std::nullopt;
}

}  // namespace

HttpError busy_error() { return {503, "too much is being served: try again"}; }

HttpError head_limit_error(const HttpLimits& limits) {
  return {431, "the header is over " + std::to_string(limits.header) + " bytes"};
}

std::optional<std::size_t> find_head_end(std::string_view bytes, std::size_t searched) {
  // The end may have begun in the bytes that were searched. An empty line without CR ends a head,
  // too: the parser then refuses it at once, rather than that the client waits in vain.
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
  header_limit(static_cast<std::uint32_t>(limits.header));
  body_limit(limits.body);
  eager(false);
}

std::optional<HttpError> RequestParser::parse_head(std::string_view bytes) {
  // RFC 9112, 5.2: a server may reject folded header lines. Beast would hand them out as views of
  // its own stack.
  if (bytes.find("\n ") != std::string_view::npos || bytes.find("\n\t") != std::string_view::npos) {
    return HttpError{400, "not HTTP/1.1: folded header line"};
  }
  error_code error;
  put(boost::asio::buffer(bytes.data(), bytes.size()), error);
  if (error_) return error_;
  if (error) return to_http_error(error);
  if (!is_header_done()) return HttpError{400, "not HTTP/1.1: incomplete head"};
  return check_head();
}

std::optional<HttpError> RequestParser::check_head() {
  if (hosts_ != 1 && (hosts_ > 1 || version_ == 11)) {
    return HttpError{400, "not HTTP/1.1: exactly one Host is needed"};
  }
  head_.content_length = static_cast<std::size_t>(content_length().value_or(0));
  head_.chunked = chunked();
  if (head_.chunked && version_ != 11) {
    return HttpError{400, "not HTTP/1.1: Transfer-Encoding in HTTP/1.0"};
  }
  head_.keep_alive = keep_alive();
  head_.expects_continue &= version_ == 11 && (head_.chunked || head_.content_length > 0);
  return std::nullopt;
}

/// Line by line, of at most a head's size each, so that it makes no difference in which pieces the
/// body arrives. Beast takes a line, or all trailers, at once or not at all.
std::optional<HttpError> RequestParser::parse_chunks(ReceiveBuffer& input, ReceiveBuffer& body) {
  body_ = &body;
  eager(true);
  // Beast would take a chunk's size off its limit each time that it looks at an incomplete line.
  body_limit(boost::none);
  while (!is_done() && !input.empty()) {
    const std::string_view bytes = input.bytes().substr(0, limits_.header);
    error_code error;
    const std::size_t consumed = put(boost::asio::buffer(bytes.data(), bytes.size()), error);
    if (error && error != http::error::need_more) return to_http_error(error);
    if (consumed == 0 && bytes.size() < limits_.header) break;  // the beginning of a line
    chunked_bytes_ += consumed;
    if (consumed == 0 || is_framing_excessive(body)) return head_limit_error(limits_);
    input.consume(consumed);
  }
  return std::nullopt;
}

/// Sizes of chunks, their extensions and trailers, as Go bounds them (CVE-2023-39326).
bool RequestParser::is_framing_excessive(const ReceiveBuffer& body) const {
  return chunked_bytes_ - body.size() > limits_.header + 16 * chunks_ + 2 * body.size();
}

HttpError RequestParser::to_http_error(error_code error) const {
  if (error == http::error::header_limit) {
    return head_limit_error(limits_);
  }
  if (error == http::error::body_limit) {
    return {413, "the body is over " + std::to_string(limits_.body) + " bytes"};
  }
  if (error == boost::asio::error::no_buffer_space) return busy_error();
  return {400, "not HTTP/1.1: " + error.message()};
}

void RequestParser::refuse(int status, std::string line) {
  if (!error_) error_ = HttpError{status, std::move(line)};
}

void RequestParser::on_request_impl(Verb, string_view method, string_view target, int version,
                                    error_code&) {
  version_ = version;  // Beast takes 1.0 and 1.1 alone
  head_.method = view(method);
  const auto path = to_origin_form(view(target));
  if (!path) return refuse(400, "not HTTP/1.1: the target is not a path");
  head_.target = *path;
}

void RequestParser::on_field_impl(Field name, string_view, string_view text, error_code&) {
  if (!in_head_) return;  // trailers say nothing that is of use
  const std::string_view value = view(text);
  switch (name) {
    case Field::content_type:
      head_.content_type = value;
      break;
    case Field::content_length:
      read_content_length(value);
      break;
    case Field::transfer_encoding:
      read_transfer_encoding(value);
      break;
    case Field::expect:
      read_expect(value);
      break;
    case Field::host:
      ++hosts_;
      if (!std::ranges::all_of(value, is_host_byte)) refuse(400, "not HTTP/1.1: malformed Host");
      break;
    default:
      break;
  }
}

/// "chunked" alone (RFC 9112, 6.1). Beast takes any other encoding for a request without a body,
/// and would read the body as the next request.
void RequestParser::read_transfer_encoding(std::string_view value) {
  if (!boost::beast::iequals(value, "chunked")) {
    refuse(501, "the only Transfer-Encoding that is served is chunked");
  }
}

/// One number, once. Beast takes several that are equal.
void RequestParser::read_content_length(std::string_view value) {
  if (++content_lengths_ > 1 || value.find(',') != std::string_view::npos) {
    refuse(400, "not HTTP/1.1: bad Content-Length");
  }
}

void RequestParser::read_expect(std::string_view value) {
  if (!boost::beast::iequals(value, "100-continue")) {
    return refuse(417, "the only expectation that is served is 100-continue");
  }
  head_.expects_continue = true;
}

void RequestParser::on_chunk_header_impl(std::uint64_t size, string_view, error_code& error) {
  ++chunks_;
  if (size > limits_.body - body_->size()) error = http::error::body_limit;
}

std::size_t RequestParser::on_chunk_body_impl(std::uint64_t, string_view bytes, error_code& error) {
  if (!body_->reserve(bytes.size())) {
    error = boost::asio::error::no_buffer_space;
    return 0;
  }
  bytes.copy(body_->end(), bytes.size());
  body_->commit(bytes.size());
  return bytes.size();
}

}  // namespace winadmit::server
