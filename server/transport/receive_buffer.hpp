// The received bytes of a request, in one piece, so that they are parsed in place.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "server/transport/connection_table.hpp"

namespace winadmit::server {

/// Memory is allocated for the first byte and freed with the last, and reserved in the
/// row of the connection. SIMDJSON_PADDING more bytes are readable after the content.
class ReceiveBuffer {
 public:
  explicit ReceiveBuffer(ConnectionTable::Row& row) : row_(row) {}
  ~ReceiveBuffer() { clear(); }
  ReceiveBuffer(const ReceiveBuffer&) = delete;
  ReceiveBuffer& operator=(const ReceiveBuffer&) = delete;

  std::string_view bytes() const { return {memory_.get() + begin_, size()}; }
  std::size_t size() const { return end_ - begin_; }
  bool empty() const { return size() == 0; }

  /// The free space after the content.
  char* free_begin() { return memory_.get() + end_; }
  std::size_t free_size() const { return capacity_ - end_; }

  /// A hint: up to `size` bytes the buffer does not grow beyond `size`.
  void set_expected_size(std::size_t size) { expected_size_ = size; }

  /// Makes free_size() at least `count`. Returns false if the connection may not reserve that much.
  [[nodiscard]] bool reserve(std::size_t count);

  /// Adds the first `count` bytes of the free space to the content.
  void commit(std::size_t count) { end_ += count; }

  /// Removes the first `count` bytes of the content.
  void consume(std::size_t count);

  void clear();

  /// Frees what the content does not need.
  void shrink();

 private:
  struct Free {
    void operator()(char* memory) const { std::free(memory); }
  };

  void move_to_front();
  bool reallocate(std::size_t capacity);

  ConnectionTable::Row& row_;
  std::unique_ptr<char, Free> memory_;
  std::size_t capacity_ = 0;  // without the padding
  std::size_t expected_size_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace winadmit::server
