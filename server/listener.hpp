// The webhook port: accepts connections and hands them to the threads in turn.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "server/connection.hpp"
#include "server/tls_context.hpp"

namespace winadmit::server {

/// A thread's event loop and what its connections share.
struct Lane {
  Lane(const Limits& limits, Handler handler, Shard& shard)
      : worker(limits, std::move(handler), shard) {}

  Worker worker;
  // One thread runs it; others only post to it. Last, so that it takes its connections with it
  // while their worker is still there.
  asio::io_context loop{1};
};

class Listener {
 public:
  /// Binds at once, so that start-up fails where the port is taken. Throws
  /// boost::system::system_error.
  Listener(const Tcp::endpoint& endpoint, std::vector<std::unique_ptr<Lane>>& lanes,
           const Limits& limits, TlsContext context);

  /// Accepts until close(). Runs on the first lane, as all of this class.
  Task<void> accept();

  /// New connections are served with this pair from now on; those that run keep theirs.
  void set_context(TlsContext context) { context_ = std::move(context); }

  void close();

  Tcp::endpoint endpoint() const { return acceptor_.local_endpoint(); }

  std::size_t open_connections() const;

 private:
  std::vector<std::unique_ptr<Lane>>& lanes_;
  const Limits& limits_;
  TlsContext context_;
  Acceptor acceptor_;
  std::size_t next_lane_ = 0;
};

/// Cuts off the lane's connections that are past their deadlines, again and again.
Task<void> watch_deadlines(Lane& lane);

}  // namespace winadmit::server
