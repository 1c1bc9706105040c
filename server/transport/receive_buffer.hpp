// What has arrived of a request and is not worked off, in one piece, so that it can be parsed in
// place.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "server/transport/clients.hpp"

namespace winadmit::server {

/// Memory comes with the first byte and goes with the last. What is held is accounted for with the
/// client. Behind the bytes are as many more as simdjson reads beyond a text.
class ReceiveBuffer {
 public:
  explicit ReceiveBuffer(Client& client) : client_(client) {}
  ~ReceiveBuffer() { clear(); }
  ReceiveBuffer(const ReceiveBuffer&) = delete;
  ReceiveBuffer& operator=(const ReceiveBuffer&) = delete;

  std::string_view bytes() const { return {memory_.get() + begin_, size()}; }
  std::size_t size() const { return end_ - begin_; }
  bool empty() const { return size() == 0; }

  /// Where the next bytes go, and how many may.
  char* end() { return memory_.get() + end_; }
  std::size_t room() const { return capacity_ - end_; }

  /// Says how many bytes will have arrived in the end, so that no more memory is taken for them.
  void expect(std::size_t size) { expected_ = size; }

  /// Makes room for `count` more bytes. False: the memory is not to be had.
  [[nodiscard]] bool reserve(std::size_t count);

  /// `count` bytes have been written to end().
  void commit(std::size_t count) { end_ += count; }

  /// The first `count` bytes are worked off.
  void consume(std::size_t count);

  void clear();

 private:
  struct Free {
    void operator()(char* memory) const { std::free(memory); }
  };

  Client& client_;
  std::unique_ptr<char, Free> memory_;
  std::size_t capacity_ = 0;  // without the padding
  std::size_t expected_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace winadmit::server
