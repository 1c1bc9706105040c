// Reads HTTP answers and judges them: a fast wrong answer is worth nothing.
#pragma once

#include <simdjson.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace winadmit::bench {

/// What an answer must say; what is not set is not looked at.
struct Expected {
  bool uid = true;              // response.uid is the one that was sent
  std::optional<bool> allowed;  // response.allowed
  std::optional<bool> patch;    // response.patch is there (base64, or an array of bytes), or is not
  std::size_t causes = 0;       // at least so many entries in response.status.details.causes
  std::string contains;         // the body holds this text
};

/// The length of a whole HTTP answer at the start of `bytes`, nothing while it is incomplete.
/// Fills `body`, unchunked into `scratch` where need be.
std::optional<std::size_t> find_answer(std::string_view bytes, std::string_view& head,
                                       std::string_view& body, std::string& scratch);

class Judge {
 public:
  explicit Judge(Expected expected) : expected_(std::move(expected)) {}

  /// Empty when the answer is right, else what is wrong with it.
  std::string fault(std::string_view head, std::string_view body, std::string_view uid);

 private:
  Expected expected_;
  simdjson::dom::parser parser_;
};

}  // namespace winadmit::bench
