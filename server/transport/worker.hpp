// A thread that serves connections: its event loop, and what its connections share.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>

#include "server/handler/handler.hpp"
#include "server/transport/clients.hpp"
#include "server/transport/handshake_queue.hpp"
#include "server/transport/large_reviews.hpp"
#include "server/transport/request_parser.hpp"
#include "server/transport/tls_context.hpp"

namespace winadmit::server {

struct Limits {
  HttpLimits http;
  std::size_t connections = 4096;           // of all threads
  std::size_t handshakes = 256;             // of all threads, at once
  std::size_t buffered = 16 * 1024 * 1024;  // bytes of requests and replies, of all threads
  std::chrono::milliseconds handshake{10'000};
  std::chrono::milliseconds idle{120'000};    // between requests
  std::chrono::milliseconds request{10'000};  // from a request's first byte to its reply's last
};

class Worker {
 public:
  /// `threads`: how many share the limits.
  Worker(const Limits& limits, std::size_t threads, Handler handler, ThreadMetrics& metrics,
         LargeReviews& large_reviews);

  /// Takes a client by its socket's descriptor. Another one goes for it at the limit. From any
  /// thread's loop: it waits until that is done, so that no more sockets are open than are counted.
  /// False: there is no memory for it, and it is closed.
  Task<bool> accept(int descriptor, Tcp protocol, TlsContext context);

  /// Replies are the last of their connections from now on. From any thread.
  void close_after_replies();

  /// Ends idle connections now, others after their replies. From any thread.
  void drain();

  /// Runs the loop until it is stopped.
  void run();

  /// Ends what is past its deadline, until the loop stops.
  Task<void> watch_deadlines();

  /// Evicts one client, for lack of descriptors. From any thread.
  void evict_client();

  // For the connections.
  const Limits& limits;
  Handler handler;
  ThreadMetrics& metrics;
  LargeReviews& large_reviews;
  Clients clients;
  std::span<char> scratch() { return {scratch_.get(), kScratch}; }
  bool closes_after_replies = false;
  fmt::memory_buffer reply;  // the one that is being sent

 private:
  void drain_clients();

  bool is_draining_ = false;
  static constexpr std::size_t kScratch = 64 * 1024;
  std::unique_ptr<char[]> scratch_ = std::make_unique_for_overwrite<char[]>(kScratch);

 public:
  // They own the connections, which use all of the above.
  asio::io_context loop{1};
  HandshakeQueue handshakes{loop, clients};
};

}  // namespace winadmit::server
