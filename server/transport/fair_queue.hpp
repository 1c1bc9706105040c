// A queue that serves the source addresses alike: an entry waits for one of each other source,
// however many these have pushed before it.
#pragma once

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

namespace winadmit::server {

/// Not thread-safe.
template <class Entry>
class FairQueue {
 public:
  void push(const boost::asio::ip::address& source, Entry entry) {
    std::uint64_t& next = next_rounds_[source];
    next = std::max(next, round_);
    entries_.emplace(next, std::move(entry));
    ++next;
  }

  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }

  /// The next entry. The queue must not be empty, here and below.
  const Entry& front() const { return entries_.begin()->second; }
  Entry pop_front() { return pop(entries_.begin()); }
  Entry pop_back() { return pop(std::prev(entries_.end())); }

  /// Calls `is_served` with the entries in their order, and removes those for which it is true.
  template <class IsServed>
  void serve(IsServed is_served) {
    for (auto entry = entries_.begin(); entry != entries_.end();) {
      const auto visited = entry++;
      if (is_served(visited->second)) pop(visited);
    }
  }

 private:
  using Entries = std::multimap<std::uint64_t, Entry>;  // by round: one of a source in each

  Entry pop(typename Entries::iterator popped) {
    if (popped == entries_.begin()) {
      round_ = popped->first;
      std::erase_if(next_rounds_, [this](const auto& source) { return source.second <= round_; });
    }
    Entry entry = std::move(popped->second);
    entries_.erase(popped);
    return entry;
  }

  Entries entries_;
  std::map<boost::asio::ip::address, std::uint64_t> next_rounds_;  // if later than round_
  std::uint64_t round_ = 0;  // of the last entry that was removed as the first one
};

}  // namespace winadmit::server
