// Large requests that wait until there is memory for them. They get it in turn: one waits for one
// of each other source address, however many these have sent.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <cstddef>
#include <functional>
#include <memory>

#include "server/transport/asio.hpp"
#include "server/transport/fair_queue.hpp"

namespace winadmit::server {

class MemoryQueue {
 public:
  /// Returns whether the request waits no longer: its memory is reserved, or it has ended. Throws
  /// nothing.
  using Attempt = std::function<bool()>;

  MemoryQueue(asio::io_context& loop, std::size_t max_waiting)
      : loop_(loop), max_waiting_(max_waiting) {}

  /// Repeats `attempt`, in the turn of the source, until it returns true. Returns false at
  /// `deadline`, or if too many others have their turn before.
  Task<bool> wait(asio::ip::address source, Clock::time_point deadline, Attempt attempt);

 private:
  struct Waiting {
    Attempt attempt;
    bool is_served = false;
    bool is_refused = false;
  };

  void serve();

  asio::io_context& loop_;
  std::size_t max_waiting_;
  FairQueue<std::weak_ptr<Waiting>> waiting_;  // expired: it waits no longer
};

}  // namespace winadmit::server
