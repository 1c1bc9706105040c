// What the fuzz targets share: how an input is read, and what must hold of any HTTP reply.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "server/config/config.hpp"
#include "server/handler/handler.hpp"
#include "server/telemetry/log.hpp"
#include "server/telemetry/metrics.hpp"

namespace winadmit::fuzz {

inline void require(bool holds, std::string_view what) {
  if (holds) return;
  std::cerr << "violated: " << what << '\n';
  std::abort();
}

/// Logs nothing from the first call on.
inline void be_quiet() {
  static const bool kQuiet = [] {
    server::set_up_logging(spdlog::level::off, server::LogFormat::json);
    return true;
  }();
  (void)kQuiet;
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// A configuration, and a thread's worth of handler.
struct Judge {
  explicit Judge(const std::string& yaml)
      : config(server::parse_config(yaml, "fuzz.yaml")),
        policy(config.policy),
        metrics("1.36"),
        handler(policy, config.exempt, metrics.add_thread()) {}

  server::Config config;
  Policy policy;
  server::Metrics metrics;
  server::Handler handler;
};

/// The bytes that a client sends, and how it splits them.
struct Split {
  std::string_view bytes;
  std::vector<std::string_view> pieces;
};

/// The first line of an input is the lengths of the pieces, a byte each, over and over; the rest is
/// what is sent. An empty line: all in one piece.
inline Split split(std::string_view input) {
  const std::size_t line = std::min(input.find('\n'), input.size());
  const std::string_view lengths = input.substr(0, line);
  Split made{.bytes = input.substr(std::min(line + 1, input.size())), .pieces = {}};
  std::string_view rest = made.bytes;
  for (std::size_t i = 0; !rest.empty(); ++i) {
    const std::size_t length =
        lengths.empty() ? rest.size() : 1U + static_cast<unsigned char>(lengths[i % line]);
    made.pieces.push_back(rest.substr(0, length));
    rest.remove_prefix(made.pieces.back().size());
  }
  return made;
}

inline std::size_t count(std::string_view text, std::string_view of) {
  std::size_t times = 0;
  for (auto at = text.find(of); at != text.npos; at = text.find(of, at + 1)) ++times;
  return times;
}

/// Takes "HTTP/1.1 200 OK" and fields of the names that winadmit writes off the front of `answers`.
/// Returns the head.
inline std::string_view take_head(std::string_view& answers) {
  const std::size_t size = answers.find("\r\n\r\n");
  require(size != answers.npos, "a reply has a whole head");
  const std::string_view head = answers.substr(0, size + 2);
  answers.remove_prefix(size + 4);
  require(head.starts_with("HTTP/1.1 ") && head.size() > 14 && head[12] == ' ', "a status line");
  std::string_view fields = head.substr(head.find('\n') + 1);
  while (!fields.empty()) {
    const std::string_view name = fields.substr(0, fields.find(':'));
    require(name == "Content-Type" || name == "Content-Length" || name == "Allow" ||
                name == "Connection",
            "a field that winadmit writes");
    fields.remove_prefix(fields.find('\n') + 1);
  }
  return head;
}

/// All that a connection answered to `requests`: whole replies of bounded size, no more than there
/// can be requests, and nothing behind the one that ends the connection.
inline void check_replies(std::string_view answers, std::string_view requests) {
  constexpr std::string_view kLength = "\r\nContent-Length: ";
  const bool may_omit_bodies = requests.find("HEAD") != requests.npos;
  std::size_t replies = 0;
  while (!answers.empty()) {
    const std::string_view head = take_head(answers);
    if (head.starts_with("HTTP/1.1 100 Continue\r\n")) continue;
    ++replies;
    const std::size_t at = head.find(kLength);
    require(at != head.npos, "a reply has a length");
    const std::size_t length = std::strtoul(head.data() + at + kLength.size(), nullptr, 10);
    require(length <= 256UL * 1024, "a reply is bounded");
    if (!may_omit_bodies || !(answers.empty() || answers.starts_with("HTTP/1.1 "))) {
      require(answers.size() >= length, "a reply has a whole body");
      answers.remove_prefix(length);
    }
    const bool is_last = head.find("\r\nConnection: close\r\n") != head.npos;
    require(!is_last || answers.empty(), "nothing follows the last reply");
  }
  // What is refused may have no end.
  require(replies <= count(requests, "\n\n") + count(requests, "\n\r\n") + 1,
          "a request has one reply");
}

}  // namespace winadmit::fuzz
