// Shared by the fuzz targets: how an input is split, and what must hold for every HTTP response.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.hpp"
#include "policy/rules/version.hpp"
#include "server/handler/handler.hpp"
#include "server/telemetry/log.hpp"
#include "server/telemetry/metrics.hpp"

namespace winadmit::fuzz {

inline void require(bool holds, std::string_view what) {
  if (holds) return;
  std::cerr << "violated: " << what << '\n';
  std::abort();
}

/// Switches logging off.
inline void disable_logging() {
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
        metrics(to_string(kNewestVersion)),
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

/// The first line of an input has the lengths of the pieces, one byte each, used cyclically. The
/// rest is sent. If the line is empty, it is sent in one piece.
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

/// Removes the head of a response from the front of `answers` and returns it. Checks its status
/// line and that winadmit writes all its fields.
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

/// Checks the responses to `requests`: they are complete and bounded, not more than there can be
/// requests, and nothing follows the one that closes the connection.
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
  // A refused request may be incomplete.
  require(replies <= count(requests, "\n\n") + count(requests, "\n\r\n") + 1,
          "a request has one reply");
}

}  // namespace winadmit::fuzz
