// The webhook port: accepts connections and passes each to the worker with the fewest.
#pragma once

#include <memory>
#include <vector>

#include "server/transport/asio.hpp"
#include "server/transport/tls_context.hpp"
#include "server/transport/worker.hpp"

namespace winadmit::server {

class Listener {
 public:
  /// Listens at once. Everything in this class runs on the loop of the first worker. Throws
  /// boost::system::system_error.
  Listener(const Tcp::endpoint& endpoint, std::vector<std::unique_ptr<Worker>>& workers,
           TlsContext context);

  /// Accepts until close(). To be called once.
  Task<void> accept();

  /// The TLS context of new connections. Others keep theirs.
  void set_context(TlsContext context) { context_ = std::move(context); }

  /// Accepts the connections that the system has already established, then closes the port: closing
  /// it at once would reset them. The workers have all connections afterwards.
  Task<void> close();

  Tcp::endpoint endpoint() const { return acceptor_.local_endpoint(); }

 private:
  Task<error_code> accept_one();
  Worker& choose_worker();
  Task<bool> hand_over(Socket socket);
  void make_room(const error_code& error);

  std::vector<std::unique_ptr<Worker>>& workers_;
  TlsContext context_;
  Acceptor acceptor_;
  const Tcp protocol_;
  std::size_t next_worker_ = 0;
  bool is_accepting_ = false;
  Timer accept_ended_;  // never expires; cancelled when accept() has ended
};

}  // namespace winadmit::server
