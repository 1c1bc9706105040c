#include "tests/bench/load/request.hpp"

#include <stdexcept>

namespace winadmit::bench {

Request::Request(std::string_view path, std::string_view review) {
  // The head is kube-apiserver's, as captured.
  bytes_.append("POST ").append(path).append("?timeout=10s HTTP/1.1\r\n");
  bytes_.append("Host: localhost\r\nUser-Agent: kube-apiserver-admission\r\nContent-Length: ");
  bytes_.append(std::to_string(review.size()));
  bytes_.append("\r\nAccept: application/json, */*\r\nContent-Type: application/json\r\n");
  bytes_.append("Accept-Encoding: gzip\r\n\r\n");
  const std::size_t head = bytes_.size();
  bytes_.append(review);

  constexpr std::string_view kBefore = R"("request":{"uid":")";
  const std::size_t at = bytes_.find(kBefore, head);
  uid_at_ = at + kBefore.size();
  const bool usable = at != std::string::npos && uid_at_ + kUidSize < kHeadSize &&
                      bytes_[uid_at_ + kUidSize] == '"';
  if (!usable)
    throw std::runtime_error("the review does not start with a request.uid of 36 characters");
}

}  // namespace winadmit::bench
