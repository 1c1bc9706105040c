// An AdmissionReview as an HTTP request. Each send has another uid, so that a stale response is
// detected.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace winadmit::bench {

class Request {
 public:
  /// Throws std::runtime_error if the review does not start with a request.uid of 36 characters.
  Request(std::string_view path, std::string_view review);

  std::size_t size() const { return bytes_.size(); }
  std::string_view bytes() const { return bytes_; }

  /// The offset of the uid, which is within the first kHeadSize bytes.
  std::size_t uid_at() const { return uid_at_; }

  static constexpr std::size_t kUidSize = 36;
  static constexpr std::size_t kHeadSize = 2048;

 private:
  std::string bytes_;
  std::size_t uid_at_ = 0;
};

}  // namespace winadmit::bench
