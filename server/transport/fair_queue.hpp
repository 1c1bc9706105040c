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
  using Source = boost::asio::ip::address;

  /// The time is linear in the entries.
  void push(const Source& source, Entry entry) {
    const auto served = next_rounds_.find(source);
    std::uint64_t round = served == next_rounds_.end() ? round_ : std::max(round_, served->second);
    for (const auto& [of_entry, pushed] : entries_) {
      if (pushed.source == source) round = std::max(round, of_entry + 1);
    }
    entries_.emplace(round, Pushed{source, std::move(entry)});
  }

  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }

  /// The next entry. The queue must not be empty, here and below.
  const Entry& front() const { return entries_.begin()->second.entry; }

  /// Removes the next entry: its source has had its turn.
  Entry pop_front() { return serve(entries_.begin()); }

  /// Removes the last entry. Its source has not had its turn.
  Entry pop_back() { return drop(std::prev(entries_.end())); }

  /// What happens to an entry. One that is dropped has not had its turn.
  enum class Turn { served, dropped, stays };

  /// Calls `visit` with the source and the entry of each in order.
  template <class Visit>
  void visit(Visit visit) {
    for (auto next = entries_.begin(); next != entries_.end();) {
      const auto visited = next++;
      switch (visit(visited->second.source, visited->second.entry)) {
        case Turn::served:
          serve(visited);
          break;
        case Turn::dropped:
          drop(visited);
          break;
        case Turn::stays:
          break;
      }
    }
  }

 private:
  struct Pushed {
    Source source;
    Entry entry;
  };
  using Entries = std::multimap<std::uint64_t, Pushed>;  // by round: one of a source in each

  Entry serve(typename Entries::iterator served) {
    const auto round = served->first;
    next_rounds_[served->second.source] = round + 1;
    if (served == entries_.begin()) {
      round_ = round;
      std::erase_if(next_rounds_, [round](const auto& source) { return source.second <= round; });
    }
    return drop(served);
  }

  Entry drop(typename Entries::iterator dropped) {
    Entry entry = std::move(dropped->second.entry);
    entries_.erase(dropped);
    return entry;
  }

  Entries entries_;
  std::map<Source, std::uint64_t> next_rounds_;  // of sources that were served, if after round_
  std::uint64_t round_ = 0;  // of the last entry that was served as the first one
};

}  // namespace winadmit::server
