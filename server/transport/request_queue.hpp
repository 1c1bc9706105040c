// Connections that have bytes of a request and wait for their turn. Each turn of the event loop
// serves the sources alike: however many connections of a source are ready, and however many
// requests they have sent ahead, a request of another source waits for one of each source only.
// Not a FairQueue, whose push() is linear in what waits: this one runs for every request.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "server/transport/asio.hpp"

namespace winadmit::server {

class Connection;

class RequestQueue {
 public:
  explicit RequestQueue(asio::io_context& loop);
  ~RequestQueue();
  RequestQueue(const RequestQueue&) = delete;
  RequestQueue& operator=(const RequestQueue&) = delete;

  /// Takes ownership until the turn of the connection. One that is closed until then is destroyed.
  void push(std::unique_ptr<Connection> connection);

 private:
  using Round = std::vector<std::unique_ptr<Connection>>;  // at most one of each source

  void serve_later();
  void serve_turn();

  asio::io_context& loop_;
  std::deque<Round> rounds_;  // the next one first
  std::uint64_t next_round_ = 1;
  bool is_posted_ = false;
};

}  // namespace winadmit::server
