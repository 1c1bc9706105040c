// Large requests that wait until there is memory for them. The source addresses are served
// round-robin.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <cstddef>

#include "server/transport/fair_queue.hpp"

namespace winadmit::server {

/// One thread uses an instance, without locks.
class MemoryQueue {
 public:
  explicit MemoryQueue(std::size_t max_waiting) : max_waiting_(max_waiting) {}

  /// The place of a request that waits. It must not outlive the queue.
  class Place {
   public:
    /// If too many wait, the last one of all is refused.
    Place(MemoryQueue& queue, const boost::asio::ip::address& source);
    ~Place();
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    /// True if the request may try to reserve memory now: every request before it waits for memory
    /// of its own source. The next request of this source then comes after one of each other
    /// source.
    bool take_turn();

    /// True if the queue was full and this request would have had its turn after all others.
    bool is_refused() const { return is_refused_; }

    /// Records what the request waits for. Requests of other sources pass one that waits for memory
    /// of its own source. No request passes one that waits for memory of others: small requests
    /// would otherwise keep a large one waiting for ever.
    void set_waits_for_own_source(bool waits) { waits_for_own_source_ = waits; }

   private:
    friend class MemoryQueue;

    MemoryQueue& queue_;
    bool waits_for_own_source_ = false;
    bool has_had_turn_ = false;
    bool is_refused_ = false;  // and not in the queue any more
  };

 private:
  using Queue = FairQueue<Place*>;

  std::size_t max_waiting_;
  Queue waiting_;
};

}  // namespace winadmit::server
