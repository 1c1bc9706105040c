// Arbitrary HTTP bytes through the request parser, without a socket: the requests and the refusal
// are the same however the bytes are split.
#include <optional>

#include "server/transport/request_parser.hpp"
#include "tests/fuzz/properties.hpp"
#include "tests/server/transport/test_row.hpp"

namespace {

using namespace winadmit;
using namespace winadmit::fuzz;

const server::HttpLimits kLimits{.max_header = 512, .max_body = 2048};

using server::ConnectionTable;

/// A receive buffer that is filled piece by piece.
class Input {
 public:
  Input(ConnectionTable::Row& row, const std::vector<std::string_view>& pieces)
      : buffer(row), pieces_(pieces) {}

  /// Appends the next piece. False if there is none.
  bool read() {
    if (next_ == pieces_.size()) return false;
    const std::string_view piece = pieces_[next_++];
    require(buffer.reserve(piece.size()), "there is room");
    piece.copy(buffer.free_begin(), piece.size());
    buffer.commit(piece.size());
    return true;
  }

  server::ReceiveBuffer buffer;

 private:
  const std::vector<std::string_view>& pieces_;
  std::size_t next_ = 0;
};

std::string to_text(const server::HttpError& error) {
  return std::to_string(error.status) + ' ' + error.message;
}

std::string to_text(const server::RequestHeader& header, std::string_view body) {
  return header.method + ' ' + header.target + ' ' + header.content_type + ' ' +
         std::to_string(header.expects_continue) + std::to_string(header.keep_alive) + '\n' +
         std::string(body);
}

/// One request, or its refusal. nullopt if it is incomplete.
std::optional<std::string> read_request(Input& input, ConnectionTable::Row& row, bool& is_last) {
  server::ReceiveBuffer& in = input.buffer;
  server::RequestParser parser(kLimits);
  is_last = true;
  std::size_t searched = 0;
  std::optional<std::size_t> size;
  while (!(size = server::find_header_end(in.bytes(), searched)) &&
         in.size() <= kLimits.max_header) {
    searched = in.size();
    if (!input.read()) return std::nullopt;
  }
  if (size.value_or(in.size()) > kLimits.max_header) return "431";
  if (const auto error = parser.parse_header(in.bytes().substr(0, *size))) return to_text(*error);
  in.consume(*size);
  const server::RequestHeader& header = parser.header();
  require(header.content_length <= kLimits.max_body, "a body is bounded");
  is_last = !header.keep_alive;
  if (header.chunked) {
    server::ReceiveBuffer body(row);
    for (;;) {
      const auto error = parser.parse_chunks(in, body);
      is_last = is_last || error;
      if (error) return to_text(*error);
      require(body.size() <= kLimits.max_body, "a chunked body is bounded");
      if (parser.is_body_complete()) return to_text(header, body.bytes());
      if (!input.read()) return std::nullopt;
    }
  }
  in.set_expected_size(header.content_length);
  while (in.size() < header.content_length) {
    if (!input.read()) return std::nullopt;
  }
  std::string request = to_text(header, in.bytes().substr(0, header.content_length));
  in.consume(header.content_length);
  return request;
}

std::vector<std::string> read_requests(const std::vector<std::string_view>& pieces) {
  server::Evictions evictions;
  ConnectionTable table(
      {.connections = 1, .bytes = 1U << 24U, .large_bytes = 1U << 24U, .handshakes = 1}, evictions);
  test::TestRow row(table);
  Input input(row, pieces);
  std::vector<std::string> requests;
  bool is_last = false;
  while (!is_last) {
    auto request = read_request(input, row, is_last);
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
          "a header makes one request");
  const auto found = read_requests(sent.pieces);
  if (found != expected) {
    for (const std::string& each : expected) std::cerr << "in one piece: " << each << '\n';
    for (const std::string& each : found) std::cerr << "in pieces:    " << each << '\n';
  }
  require(found == expected, "the same requests in any split");
  return 0;
}
