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
  /// What comes of an attempt to reserve the memory: the request waits no longer, as it has its
  /// memory or has ended, or it goes on waiting. If it waits for others of its own source, it lets
  /// other sources pass.
  enum class Outcome { ended, waits, waits_for_own };

  /// Must not throw.
  using Attempt = std::function<Outcome()>;

  MemoryQueue(asio::io_context& loop, std::size_t max_waiting)
      : loop_(loop), max_waiting_(max_waiting) {}

  /// Repeats `attempt`, in the turn of the source, until the request waits no longer. Returns false
  /// at `deadline`, or if too many others have their turn before.
  Task<bool> wait(asio::ip::address source, Clock::time_point deadline, Attempt attempt);

 private:
  struct Waiting {
    Attempt attempt;
    bool is_served = false;
    bool is_refused = false;
  };

  using Queue = FairQueue<std::weak_ptr<Waiting>>;  // expired: it waits no longer

  void serve();

  asio::io_context& loop_;
  std::size_t max_waiting_;
  Queue waiting_;
};

}  // namespace winadmit::server
