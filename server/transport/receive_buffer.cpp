#include "server/transport/receive_buffer.hpp"

#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace winadmit::server {

bool ReceiveBuffer::reserve(std::size_t count) {
  if (count <= free_size()) return true;
  if (begin_ > 0) {
    move_to_front();
    if (count <= free_size()) return true;
  }
  // Doubling, so that a large body is copied a few times only.
  const std::size_t needed = end_ + count;
  const std::size_t doubled = capacity_ * 2;
  const std::size_t capacity =
      std::max(needed, expected_size_ > 0 ? std::min(doubled, expected_size_) : doubled);
  if (!row_.reserve(capacity - capacity_)) return false;
  if (!reallocate(capacity)) {
    row_.release(capacity - capacity_);
    throw std::bad_alloc();
  }
  return true;
}

/// Over a consumed request.
void ReceiveBuffer::move_to_front() {
  std::memmove(memory_.get(), memory_.get() + begin_, size());
  end_ -= begin_;
  begin_ = 0;
}

bool ReceiveBuffer::reallocate(std::size_t capacity) {
  auto* const moved =
      static_cast<char*>(std::realloc(memory_.get(), capacity + simdjson::SIMDJSON_PADDING));
  if (moved == nullptr) return false;
  [[maybe_unused]] const char* const freed = memory_.release();  // by realloc()
  memory_.reset(moved);
  capacity_ = capacity;
  return true;
}

void ReceiveBuffer::shrink() {
  if (size() == capacity_) return;
  if (begin_ > 0) move_to_front();
  const std::size_t before = capacity_;
  if (reallocate(end_)) row_.release(before - end_);
}

void ReceiveBuffer::consume(std::size_t count) {
  begin_ += count;
  if (empty()) clear();
}

void ReceiveBuffer::clear() {
  memory_.reset();
  row_.release(capacity_);
  capacity_ = expected_size_ = begin_ = end_ = 0;
}

}  // namespace winadmit::server
