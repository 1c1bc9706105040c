// Connections that have sent their first bytes and wait to start a TLS handshake. One handshake
// starts in each turn of the event loop: each takes a third of a millisecond, and a flood of them
// must not delay the requests of others. While requests wait, handshakes take a fifth of the time:
// beyond capacity, clients that give up connect again, and this must not take the time of requests.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <cstdint>
#include <list>
#include <map>
#include <memory>

#include "server/transport/asio.hpp"
#include "server/transport/connection_tracker.hpp"
#include "server/transport/request_queue.hpp"

namespace winadmit::server {

class Connection;

class HandshakeQueue {
 public:
  HandshakeQueue(asio::io_context& loop, ConnectionTracker& connections,
                 const RequestQueue& requests);
  ~HandshakeQueue();
  HandshakeQueue(const HandshakeQueue&) = delete;
  HandshakeQueue& operator=(const HandshakeQueue&) = delete;

  /// Takes ownership until the handshake starts.
  void push(std::unique_ptr<Connection> connection);

  /// Destroys a connection of the queue, which is from `source`.
  void remove(const Connection& connection, const asio::ip::address& source);

  /// Starts a handshake if one may start now. To be called when a handshake has ended. At the limit
  /// it is tried again later, because a slow handshake can be evicted then.
  void start_next();

 private:
  struct Waiting {
    std::unique_ptr<Connection> connection;
    std::uint64_t rank;  // that of a newer one is smaller
  };
  using Sources =
      std::map<asio::ip::address, std::list<Waiting>>;  // the newest first; none is empty

  Sources::iterator choose_source();
  bool is_turn_of_requests() const;
  void start_in_next_turn();
  void start_later();

  asio::io_context& loop_;
  ConnectionTracker& connections_;
  const RequestQueue& requests_;
  Sources waiting_;
  std::uint64_t next_rank_ = UINT64_MAX;
  bool waits_for_turn_ = false;  // of the loop
  Clock::time_point requests_first_until_;
  Timer retry_;
  bool is_retrying_ = false;
};

}  // namespace winadmit::server
