// One thread that serves connections: its event loop, and everything that its connections share.
// Only this thread uses it, so nothing is locked; other threads call the functions that say so.
#pragma once

#include <fmt/format.h>

#include <map>
#include <memory>
#include <span>
#include <string_view>

#include "server/handler/handler.hpp"
#include "server/telemetry/log_limit.hpp"
#include "server/transport/connection_table.hpp"
#include "server/transport/large_reviews.hpp"
#include "server/transport/limits.hpp"
#include "server/transport/tls_context.hpp"
#include "server/transport/turns.hpp"

namespace winadmit::server {

class Connection;
using ConnectionHook = ListHook<Connection>;

class Worker {
 public:
  /// `threads`: the number of workers that share the limits. All references must outlive the
  /// worker.
  Worker(const Limits& all_limits, std::size_t threads, Handler request_handler,
         ThreadMetrics& thread_metrics, LargeReviews& large_reviews_of_all);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Starts a connection on this worker. At the limit another one is evicted. To be awaited on any
  /// event loop: it returns when that is done, so that open sockets stay within the limit. Takes
  /// ownership of the descriptor, unless it throws std::bad_alloc. Returns false if there is no
  /// memory for the connection, or the descriptor is not a usable socket.
  Task<bool> accept(int descriptor, Tcp protocol, TlsContext context);

  /// From now on each reply is the last of its connection. From any thread.
  void close_after_replies();

  /// Closes idle connections now, and others after their reply. From any thread.
  void drain();

  /// Evicts one connection, to free its descriptor. From any thread.
  void evict_connection();

  /// Runs the event loop until it is stopped.
  void run();

  /// Ends connections that are past their deadline, until the loop stops.
  Task<void> watch_deadlines();

  /// Memory for the encrypted bytes of one receive.
  std::span<char> scratch() { return {scratch_.get(), kScratchSize}; }

  // For the connections.
  const Limits& limits;
  Handler handler;
  ThreadMetrics& metrics;
  LargeReviews& large_reviews;
  ConnectionTable table;
  List<Connection, ConnectionHook> connections;
  std::map<HandshakeFailure, LogLimit> failed_handshake_logs;
  std::map<int, LogLimit> refused_request_logs;        // by status
  std::map<std::string_view, LogLimit> eviction_logs;  // by limit
  std::map<std::string_view, LogLimit> refusal_logs;   // the same
  bool closes_after_replies = false;
  fmt::memory_buffer reply;  // scratch memory for one reply

 private:
  template <class Visit>
  void for_each_connection(Visit visit);
  void drain_connections();

  static constexpr std::size_t kScratchSize = 64 * 1024;
  std::unique_ptr<char[]> scratch_ = std::make_unique_for_overwrite<char[]>(kScratchSize);
  bool is_draining_ = false;

 public:
  // They own the coroutines of the connections, which use everything above.
  asio::io_context loop{1};
  Turns turns{loop};
};

}  // namespace winadmit::server
