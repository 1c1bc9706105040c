// Reads HTTP responses and checks that they are correct.
#pragma once

#include <simdjson.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace winadmit::bench {

/// What a response must contain. Unset members are not checked.
struct Expected {
  bool uid = true;              // response.uid is the one that was sent
  std::optional<bool> allowed;  // response.allowed
  std::optional<bool> patch;    // whether response.patch is present (base64 or an array of bytes)
  std::size_t causes = 0;       // the least number of response.status.details.causes
  std::string contains;         // a substring of the body
};

/// The length of the HTTP response at the start of `bytes`, nullopt if it is incomplete. Sets
/// `head` and `body`; a chunked body is decoded into `scratch`.
std::optional<std::size_t> find_response(std::string_view bytes, std::string_view& head,
                                         std::string_view& body, std::string& scratch);

class ResponseChecker {
 public:
  explicit ResponseChecker(Expected expected) : expected_(std::move(expected)) {}

  /// What is wrong with a response, empty if it is correct.
  std::string fault(std::string_view head, std::string_view body, std::string_view uid);

 private:
  Expected expected_;
  simdjson::dom::parser parser_;
};

}  // namespace winadmit::bench
