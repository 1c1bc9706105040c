// Connections that have sent their first bytes and wait to start a TLS handshake. One handshake
// starts in each turn of the event loop: each takes a third of a millisecond, and a flood of them
// must not delay the requests of others.
#pragma once

#include <list>
#include <memory>

#include "server/transport/asio.hpp"
#include "server/transport/connection_tracker.hpp"

namespace winadmit::server {

class Connection;

class HandshakeQueue {
 public:
  HandshakeQueue(asio::io_context& loop, ConnectionTracker& connections);
  ~HandshakeQueue();
  HandshakeQueue(const HandshakeQueue&) = delete;
  HandshakeQueue& operator=(const HandshakeQueue&) = delete;

  /// Takes ownership until the handshake starts.
  void push(std::unique_ptr<Connection> connection);

  /// Destroys a connection of the queue.
  void remove(const Connection& connection);

  /// Starts a handshake if one may start now. To be called when a handshake has ended. At the limit
  /// it is tried again later, because a slow handshake can be evicted then.
  void start_next();

 private:
  void start_later();

  asio::io_context& loop_;
  ConnectionTracker& connections_;
  std::list<std::unique_ptr<Connection>> waiting_;
  bool has_started_one_ = false;  // in this turn of the loop
  Timer retry_;
  bool is_retrying_ = false;
};

}  // namespace winadmit::server
