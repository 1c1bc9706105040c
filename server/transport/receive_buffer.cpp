#include "server/transport/receive_buffer.hpp"

#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace winadmit::server {

bool ReceiveBuffer::reserve(std::size_t count) {
  if (count <= room()) return true;
  if (begin_ > 0) {  // pipelined requests move to the front
    std::memmove(memory_.get(), memory_.get() + begin_, size());
    end_ -= begin_;
    begin_ = 0;
    if (count <= room()) return true;
  }
  // Doubled, so that a large body is moved a few times only.
  const std::size_t needed = end_ + count;
  const std::size_t doubled = capacity_ * 2;
  const std::size_t capacity =
      std::max(needed, expected_ > 0 ? std::min(doubled, expected_) : doubled);
  if (!client_.hold(capacity - capacity_)) return false;
  auto* const grown =
      static_cast<char*>(std::realloc(memory_.get(), capacity + simdjson::SIMDJSON_PADDING));
  if (grown == nullptr) {
    client_.release(capacity - capacity_);
    throw std::bad_alloc();
  }
  [[maybe_unused]] const char* const freed = memory_.release();  // by realloc()
  memory_.reset(grown);
  capacity_ = capacity;
  return true;
}

void ReceiveBuffer::consume(std::size_t count) {
  begin_ += count;
  if (empty()) clear();
}

void ReceiveBuffer::clear() {
  memory_.reset();
  client_.release(capacity_);
  capacity_ = expected_ = begin_ = end_ = 0;
}

}  // namespace winadmit::server
