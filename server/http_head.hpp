// The head of an HTTP/1.1 request, by Beast's parser. The head is not stored: what is needed of it
// is borrowed from the buffer, so a request costs no allocation for its fields.
#pragma once

#include <boost/beast/http/basic_parser.hpp>
#include <cstddef>
#include <string>
#include <string_view>

#include "policy/append.hpp"

namespace winadmit::server {

struct HttpLimits {
  std::size_t header = 16 * 1024;
  std::size_t body = 7 * 1024 * 1024;  // an UPDATE carries two objects
};

/// Parses one request. put() what has arrived, from the request's first byte, until
/// is_header_done(). A body with a length is then the caller's to read in place; a chunked one is
/// put() on, and collects in `chunks`.
class HttpHead : public boost::beast::http::basic_parser<true> {
 public:
  explicit HttpHead(const HttpLimits& limits) {
    header_limit(static_cast<std::uint32_t>(limits.header));
    body_limit(limits.body);
  }

  // Borrowed from the bytes of the head.
  std::string_view method;
  std::string_view target;
  std::string_view content_type;
  bool expects_continue = false;

  std::string chunks;

 private:
  using error_code = boost::beast::error_code;
  using beast_view = boost::beast::string_view;
  static std::string_view view(beast_view text) { return {text.data(), text.size()}; }

  void on_request_impl(boost::beast::http::verb, beast_view method_text, beast_view target_text,
                       int, error_code&) override {
    method = view(method_text);
    target = view(target_text);
  }
  void on_field_impl(boost::beast::http::field name, beast_view, beast_view value,
                     error_code&) override {
    if (name == boost::beast::http::field::content_type) content_type = view(value);
    if (name == boost::beast::http::field::expect) {
      expects_continue = boost::beast::iequals(value, "100-continue");
    }
  }
  std::size_t on_chunk_body_impl(std::uint64_t, beast_view bytes, error_code&) override {
    chunks.append(bytes.data(), bytes.size());
    return bytes.size();
  }
  void on_response_impl(int, beast_view, int, error_code&) override {}
  void on_header_impl(error_code&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
  std::size_t on_body_impl(beast_view bytes, error_code&) override { return bytes.size(); }
  void on_chunk_header_impl(std::uint64_t, beast_view, error_code&) override {}
  void on_finish_impl(error_code&) override {}
};

/// The head of a reply and its body in one piece, so that it is one TLS record and one send.
/// Appends to `to`.
void append_reply(TextBuffer& to, int status, std::string_view content_type, std::string_view body,
                  bool keep_alive);

}  // namespace winadmit::server
