#include "server/transport/fair_queue.hpp"

#include <algorithm>
#include <utility>

namespace winadmit::server {

void FairQueue::push(const asio::ip::address& source, Job job) {
  std::uint64_t& next = next_rounds_[source];
  next = std::max(next, round_);
  jobs_.emplace(next, std::move(job));
  ++next;
}

FairQueue::Job FairQueue::pop() {
  const auto first = jobs_.begin();
  round_ = first->first;
  Job job = std::move(first->second);
  jobs_.erase(first);
  std::erase_if(next_rounds_, [this](const auto& entry) { return entry.second <= round_; });
  return job;
}

}  // namespace winadmit::server
