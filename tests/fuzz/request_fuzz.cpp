// HTTP bytes through the parser, as a connection reads them but without a socket: the requests in
// them, and the refusal that ends them, are the same in any split.
#include <optional>

#include "server/transport/request_parser.hpp"
#include "tests/fuzz/properties.hpp"

namespace {

using namespace winadmit;
using namespace winadmit::fuzz;

const server::HttpLimits kLimits{.header = 512, .body = 2048};

class Client final : public server::Client {
 public:
  using server::Client::Client;

 private:
  void evict() override {}
};

/// A client's buffer that is filled piece by piece.
class Input {
 public:
  Input(server::Client& client, const std::vector<std::string_view>& pieces)
      : buffer(client), pieces_(pieces) {}

  /// Appends the next piece. False: that was all.
  bool read() {
    if (next_ == pieces_.size()) return false;
    const std::string_view piece = pieces_[next_++];
    require(buffer.reserve(piece.size()), "there is room");
    piece.copy(buffer.end(), piece.size());
    buffer.commit(piece.size());
    return true;
  }

  server::ReceiveBuffer buffer;

 private:
  const std::vector<std::string_view>& pieces_;
  std::size_t next_ = 0;
};

std::string to_text(const server::HttpError& error) {
  return std::to_string(error.status) + ' ' + error.line;
}

std::string to_text(const server::RequestHead& head, std::string_view body) {
  return head.method + ' ' + head.target + ' ' + head.content_type + ' ' +
         std::to_string(head.expects_continue) + std::to_string(head.keep_alive) + '\n' +
         std::string(body);
}

/// One request, or why it is refused. Nothing: the input ended in it.
std::optional<std::string> read_request(Input& input, server::Client& client, bool& is_last) {
  server::ReceiveBuffer& in = input.buffer;
  server::RequestParser parser(kLimits);
  is_last = true;
  std::size_t searched = 0;
  std::optional<std::size_t> size;
  while (!(size = server::find_head_end(in.bytes(), searched)) && in.size() <= kLimits.header) {
    searched = in.size();
    if (!input.read()) return std::nullopt;
  }
  if (size.value_or(in.size()) > kLimits.header) return "431";
  if (const auto error = parser.parse_head(in.bytes().substr(0, *size))) return to_text(*error);
  in.consume(*size);
  const server::RequestHead& head = parser.head();
  require(head.content_length <= kLimits.body, "a body is bounded");
  is_last = !head.keep_alive;
  if (head.chunked) {
    server::ReceiveBuffer body(client);
    for (;;) {
      const auto error = parser.parse_chunks(in, body);
      is_last = is_last || error;
      if (error) return to_text(*error);
      require(body.size() <= kLimits.body, "a chunked body is bounded");
      if (parser.is_body_complete()) return to_text(head, body.bytes());
      if (!input.read()) return std::nullopt;
    }
  }
  in.expect(head.content_length);
  while (in.size() < head.content_length) {
    if (!input.read()) return std::nullopt;
  }
  std::string request = to_text(head, in.bytes().substr(0, head.content_length));
  in.consume(head.content_length);
  return request;
}

std::vector<std::string> read_requests(const std::vector<std::string_view>& pieces) {
  server::Evictions evictions;
  server::Clients clients({.clients = 1, .bytes = 1U << 24U, .large = 1U << 24U, .handshakes = 1},
                          evictions);
  Client client(clients, {});
  Input input(client, pieces);
  std::vector<std::string> requests;
  bool is_last = false;
  while (!is_last) {
    auto request = read_request(input, client, is_last);
    if (!request) break;
    requests.push_back(std::move(*request));
  }
  return requests;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Split sent = split(text_of(data, size));
  const auto expected = read_requests({sent.bytes});
  require(expected.size() <= count(sent.bytes, "\n\n") + count(sent.bytes, "\n\r\n") + 1,
          "a head makes one request");
  const auto found = read_requests(sent.pieces);
  if (found != expected) {
    for (const std::string& each : expected) std::cerr << "in one piece: " << each << '\n';
    for (const std::string& each : found) std::cerr << "in pieces:    " << each << '\n';
  }
  require(found == expected, "the same requests in any split");
  return 0;
}
