// Which requests are valid HTTP/1.1, and what is read from them.
#include "server/transport/request_parser.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/server/transport/test_row.hpp"

namespace winadmit::server {
namespace {

const HttpLimits kLimits{.max_header = 16 * 1024, .max_body = 1000};
const std::string kHost = "Host: h\r\n";

std::optional<HttpError> parse(RequestParser& parser, const std::string& text) {
  const auto size = find_header_end(text, 0);
  if (!size) return HttpError{0, "the header has no end"};
  return parser.parse_header(std::string_view(text).substr(0, *size));
}

int status_of(const std::string& text) {
  RequestParser parser(kLimits);
  const auto error = parse(parser, text);
  return error ? error->status : 200;
}

std::string post(const std::string& fields) {
  return "POST /validate HTTP/1.1\r\n" + kHost + fields + "\r\n";
}

TEST(RequestParser, ReadsTheHeader) {
  RequestParser parser(kLimits);
  ASSERT_FALSE(parse(parser,
                     "POST /validate?timeout=10s HTTP/1.1\r\nhost: h\r\n"
                     "CONTENT-TYPE:  application/json \r\nContent-Length: 12\r\n"
                     "Expect: 100-Continue\r\n\r\n"));
  const RequestHeader& header = parser.header();
  EXPECT_EQ(header.method, "POST");
  EXPECT_EQ(header.target, "/validate?timeout=10s");
  EXPECT_EQ(header.content_type, "application/json");
  EXPECT_EQ(header.content_length, 12U);
  EXPECT_TRUE(header.expects_continue);
  EXPECT_TRUE(header.keep_alive);
  EXPECT_FALSE(header.chunked);
}

TEST(RequestParser, RejectsWhatIsNotPlainHttp11) {
  struct Case {
    const char* name;
    std::string text;
    int status;
  };
  const std::string line = "POST /validate HTTP/1.1\r\n";
  const Case cases[] = {
      {"plain", post("Content-Length: 5\r\n"), 200},
      {"folded field", post("Content-Type: application/json\r\n ;charset=utf-8\r\n"), 400},
      {"folded by a tab", post("X: a\r\n\tb\r\n"), 400},
      {"bare LF", "POST /validate HTTP/1.1\nHost: h\n\n", 400},
      {"no Host", line + "\r\n", 400},
      {"two Hosts", line + kHost + kHost + "\r\n", 400},
      {"malformed Host", line + "Host: a/b\r\n\r\n", 400},
      {"HTTP/1.0 without Host", "POST /validate HTTP/1.0\r\n\r\n", 200},
      {"HTTP/2.0", "POST /validate HTTP/2.0\r\nHost: h\r\n\r\n", 400},
      {"different lengths", post("Content-Length: 5\r\nContent-Length: 6\r\n"), 400},
      {"a list of lengths", post("Content-Length: 5, 5\r\n"), 400},
      {"the same length twice", post("Content-Length: 5\r\nContent-Length: 05\r\n"), 400},
      {"a signed length", post("Content-Length: +5\r\n"), 400},
      {"a length and chunks", post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"), 400},
      {"chunked", post("Transfer-Encoding: Chunked\r\n"), 200},
      {"chunked in HTTP/1.0",
       "POST /validate HTTP/1.0\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
      {"identity", post("Transfer-Encoding: identity\r\n"), 501},
      {"gzip", post("Transfer-Encoding: gzip\r\n"), 501},
      {"an unknown encoding", post("Transfer-Encoding: xchunked\r\n"), 501},
      {"no encoding", post("Transfer-Encoding:\r\n"), 501},
      {"chunked, identity", post("Transfer-Encoding: chunked, identity\r\n"), 501},
      {"chunked, chunked", post("Transfer-Encoding: chunked, chunked\r\n"), 501},
      {"an unknown expectation", post("Expect: banana\r\n"), 417},
      {"a body over the limit", post("Content-Length: 1001\r\n"), 413},
      {"a target that is not a path", "POST validate HTTP/1.1\r\nHost: h\r\n\r\n", 400},
      {"a space before the colon", post("X : a\r\n"), 400},
  };
  for (const Case& each : cases) EXPECT_EQ(status_of(each.text), each.status) << each.name;
}

TEST(RequestParser, ReadsTheAbsoluteFormOfATarget) {
  const auto target_of = [](const std::string& target) {
    RequestParser parser(kLimits);
    const auto error = parse(parser, "POST " + target + " HTTP/1.1\r\nHost: h\r\n\r\n");
    return error ? error->message : parser.header().target;
  };
  EXPECT_EQ(target_of("https://winadmit.svc:443/validate?a=b"), "/validate?a=b");
  EXPECT_EQ(target_of("HTTP://h/"), "/");
  EXPECT_EQ(target_of("http://h"), "/");
  EXPECT_EQ(target_of("http://h?a"), "/");
  EXPECT_EQ(target_of("http:///validate"), "not HTTP/1.1: the request target is not a path");
  EXPECT_EQ(target_of("ftp://h/validate"), "not HTTP/1.1: the request target is not a path");
}

TEST(RequestParser, KeepsAliveByVersionAndConnectionField) {
  const auto keeps_alive = [](const std::string& text) {
    RequestParser parser(kLimits);
    EXPECT_FALSE(parse(parser, text));
    return parser.header().keep_alive;
  };
  EXPECT_TRUE(keeps_alive(post("")));
  EXPECT_FALSE(keeps_alive(post("Connection: close\r\n")));
  EXPECT_FALSE(keeps_alive("POST / HTTP/1.0\r\n\r\n"));
  EXPECT_TRUE(keeps_alive("POST / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"));
}

TEST(RequestParser, KnowsTheVersion) {
  const auto is_http_1_0 = [](const std::string& text) {
    RequestParser parser(kLimits);
    EXPECT_FALSE(parse(parser, text));
    return parser.header().is_http_1_0;
  };
  EXPECT_TRUE(is_http_1_0("POST / HTTP/1.0\r\n\r\n"));
  EXPECT_FALSE(is_http_1_0(post("")));
}

TEST(RequestParser, FindsTheEndOfAHeaderHoweverItIsSplit) {
  const std::string text = post("Content-Length: 2\r\n") + "{}";
  const std::size_t size = text.size() - 2;
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    SCOPED_TRACE(piece);
    std::size_t searched = 0;
    std::optional<std::size_t> found;
    for (std::size_t arrived = piece; !found; arrived += piece) {
      const std::string_view bytes = std::string_view(text).substr(0, arrived);
      found = find_header_end(bytes, searched);
      searched = bytes.size();
    }
    EXPECT_EQ(found, size);
  }
}

TEST(RequestParser, ExpectsContinueOnlyWithABody) {
  const auto expects = [](const std::string& fields) {
    RequestParser parser(kLimits);
    EXPECT_FALSE(parse(parser, post("Expect: 100-continue\r\n" + fields)));
    return parser.header().expects_continue;
  };
  EXPECT_TRUE(expects("Content-Length: 1\r\n"));
  EXPECT_TRUE(expects("Transfer-Encoding: chunked\r\n"));
  EXPECT_FALSE(expects("Content-Length: 0\r\n"));
  EXPECT_FALSE(expects(""));
}

struct ChunkedBody : testing::Test {
  /// Parses a chunked body in pieces. Returns the content, or the status of the error.
  std::string read(std::string_view text, std::size_t piece) {
    RequestParser parser(kLimits);
    EXPECT_FALSE(parse(parser, post("Transfer-Encoding: chunked\r\n")));
    ReceiveBuffer input(row);
    ReceiveBuffer body(row);
    while (!parser.is_body_complete()) {
      if (text.empty()) return "incomplete";
      const std::string_view next = text.substr(0, piece);
      EXPECT_TRUE(input.reserve(next.size()));
      next.copy(input.free_begin(), next.size());
      input.commit(next.size());
      text.remove_prefix(next.size());
      if (const auto error = parser.parse_chunks(input, body)) return std::to_string(error->status);
    }
    return std::string(body.bytes()) + '|' + std::string(input.bytes()) + std::string(text);
  }
  Evictions evictions;
  ConnectionTable table{
      {.connections = 1, .bytes = 1 << 26, .large_bytes = 1 << 26, .handshakes = 1}, evictions};
  test::TestRow row{table};
};

TEST_F(ChunkedBody, IsJoinedHoweverItIsSplit) {
  const std::string text = "3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\nTrailer: t\r\n\r\nnext";
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    EXPECT_EQ(read(text, piece), "abc0123456789|next") << piece;
  }
  for (std::size_t piece = 1; piece <= 9; ++piece) {
    EXPECT_EQ(read("0\r\n\r\nnext", piece), "|next") << piece;
    EXPECT_EQ(read("ZZ\r\n", piece), "400") << piece;
  }
}

TEST_F(ChunkedBody, IsRejectedIfAChunkExtensionHasALineBreak) {
  for (const std::string extension : {";a=\"\n\"", ";a=\"\\\n\"", ";a=b;c=\"d\n\"", ";a=\"\r\""}) {
    for (const std::size_t piece : {1U, 100'000U}) {
      EXPECT_EQ(read("1" + extension + "\r\na\r\n0\r\n\r\n", piece), "400") << extension;
      EXPECT_EQ(read("1\r\na\r\n0" + extension + "\r\n\r\n", piece), "400") << extension;
    }
  }
  EXPECT_EQ(read("1;a=\"\t;\"\r\na\r\n0\r\n\r\n", 100), "a|");
}

TEST_F(ChunkedBody, IsRejectedIfItIsMostlyFraming) {
  std::string extensions;
  for (int i = 0; i < 50; ++i) extensions += "1;" + std::string(1000, 'x') + "\r\na\r\n";
  const std::string trailer = "1\r\na\r\n0\r\nT: " + std::string(20'000, 't') + "\r\n\r\n";
  for (const std::size_t piece : {1'000U, 17'000U, 100'000U}) {
    EXPECT_EQ(read(extensions + "0\r\n\r\n", piece), "431") << piece;
    EXPECT_EQ(read(trailer, piece), "431") << piece;
  }
  EXPECT_EQ(read("3e9\r\n" + std::string(1001, 'a') + "\r\n0\r\n\r\n", 5000), "413");
}

TEST_F(ChunkedBody, CountsAgainstTheLimitOnceHoweverItIsSplit) {
  // The parser parses this line again with every byte, because it ends within quotes.
  const std::string text = "258;x=\"\r\n\"\r\n" + std::string(600, 'a') + "\r\n0\r\n\r\n";
  for (const std::size_t piece : {1U, 3U, 100'000U}) EXPECT_EQ(read(text, piece), "400") << piece;
  const std::string two = "258\r\n" + std::string(600, 'a') + "\r\n";
  const std::string over = two + "191\r\n" + std::string(401, 'a') + "\r\n0\r\n\r\n";
  const std::string full = two + "190\r\n" + std::string(400, 'a') + "\r\n0\r\n\r\n";
  for (const std::size_t piece : {1U, 3U, 100'000U}) {
    EXPECT_EQ(read(over, piece), "413") << piece;
    EXPECT_EQ(read(full, piece), std::string(1000, 'a') + '|') << piece;
  }
}

TEST_F(ChunkedBody, HasLimitedLinesAndTrailersHoweverItIsSplit) {
  const std::string many(17'000, 'x');
  const std::string content = "3e6\r\n" + std::string(998, 'a') + "\r\n";
  for (const std::size_t piece : {1'000U, 17'500U, 100'000U}) {
    EXPECT_EQ(read(content + "1;x=" + many + "\r\na\r\n0\r\n\r\n", piece), "431") << piece;
    EXPECT_EQ(read(content + "0\r\nT: " + many + "\r\nnot a field\r\n\r\n", piece), "431") << piece;
  }
}

TEST(RequestParser, TakesTheFirstContentType) {
  RequestParser parser(kLimits);
  ASSERT_FALSE(
      parse(parser, post("Content-Type: text/plain\r\nContent-Type: application/json\r\n")));
  EXPECT_EQ(parser.header().content_type, "text/plain");
}

TEST(RequestParser, CopiesTheHeader) {
  RequestParser parser(kLimits);
  {
    std::string text = post("Content-Type: application/json; charset=utf-8\r\n");
    ASSERT_FALSE(parse(parser, text));
    text.assign(text.size(), 'x');
  }
  EXPECT_EQ(parser.header().target, "/validate");
  EXPECT_EQ(parser.header().content_type, "application/json; charset=utf-8");
}

}  // namespace
}  // namespace winadmit::server
