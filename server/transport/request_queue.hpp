// Connections that have bytes of a request and wait for their turn. Each turn of the event loop
// serves the sources alike: however many connections of a source are ready, and however many
// requests they have sent ahead, a request of another source waits for one of each source only.
// Not a FairQueue, whose push() is linear in what waits: this one runs for every request.
//
// The requests of a source are served in the order of arrival, but late ones yield to others,
// except in every eighth round. Otherwise, beyond capacity, each request would wait until its
// client gives up: all answers would be late, and each client would connect again.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <cstdint>
#include <list>
#include <map>
#include <memory>

#include "server/transport/asio.hpp"

namespace winadmit::server {

class Connection;

class RequestQueue {
 public:
  explicit RequestQueue(asio::io_context& loop);
  ~RequestQueue();
  RequestQueue(const RequestQueue&) = delete;
  RequestQueue& operator=(const RequestQueue&) = delete;

  /// Takes ownership until the turn of the connection.
  void push(std::unique_ptr<Connection> connection);

  /// Destroys a connection that waits. `source`: what its own was before it closed.
  void remove(const Connection& connection, const asio::ip::address& source);

  /// Whether no connection waits.
  bool empty() const { return waiting_.empty(); }

 private:
  using Connections = std::list<std::unique_ptr<Connection>>;  // by arrival
  struct Source {
    Connections in_time, late;

    bool empty() const { return in_time.empty() && late.empty(); }
  };

  void serve_later();
  void serve_turn();
  Connections take_round();

  asio::io_context& loop_;
  std::map<asio::ip::address, Source> waiting_;  // none is empty
  std::uint64_t rounds_ = 0;
  bool is_posted_ = false;
};

}  // namespace winadmit::server
