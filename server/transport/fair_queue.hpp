// A queue of jobs that serves the source addresses alike: a job waits for one of each other source,
// however many these have pushed before it.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <cstdint>
#include <functional>
#include <map>

#include "server/transport/asio.hpp"

namespace winadmit::server {

/// Not thread-safe.
class FairQueue {
 public:
  using Job = std::function<void()>;

  void push(const asio::ip::address& source, Job job);

  bool empty() const { return jobs_.empty(); }

  /// Removes the next job. The queue must not be empty.
  Job pop();

 private:
  std::multimap<std::uint64_t, Job> jobs_;  // by round: at most one of a source in each
  std::map<asio::ip::address, std::uint64_t> next_rounds_;  // of sources, if later than round_
  std::uint64_t round_ = 0;                                 // of the last job that was removed
};

}  // namespace winadmit::server
