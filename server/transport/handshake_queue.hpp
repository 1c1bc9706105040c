// Clients that have sent their first bytes, and wait for their turn to begin a TLS handshake. One
// begins in a turn of the event loop, so that a flood of handshakes, at a third of a millisecond
// each, does not delay the requests of others.
#pragma once

#include <list>
#include <memory>

#include "server/transport/asio.hpp"
#include "server/transport/clients.hpp"

namespace winadmit::server {

class Connection;

class HandshakeQueue {
 public:
  HandshakeQueue(asio::io_context& loop, Clients& clients);
  ~HandshakeQueue();
  HandshakeQueue(const HandshakeQueue&) = delete;
  HandshakeQueue& operator=(const HandshakeQueue&) = delete;

  /// Begins its handshake when its turn comes.
  void push(std::unique_ptr<Connection> connection);

  /// Ends the connection, which waits here.
  void remove(const Connection& connection);

  /// Begins a handshake, if it is time for one. Call it where one has ended, and once in a while,
  /// for handshakes that take long give way.
  void begin_one();

 private:
  asio::io_context& loop_;
  Clients& clients_;
  std::list<std::unique_ptr<Connection>> waiting_;
  bool has_begun_one_ = false;  // in this turn
};

}  // namespace winadmit::server
