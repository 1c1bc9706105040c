// A queue that serves the source addresses round-robin: one entry of each in turn, however many a
// source has pushed.
#pragma once

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <new>
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

  /// How many sources have had their turn in this round, while others wait for theirs.
  std::size_t remembered() const { return next_rounds_.size(); }

  /// Removes the next entry: its source has had its turn. The queue must not be empty, here and
  /// below.
  Entry pop_front() {
    Entry entry = std::move(entries_.begin()->second.entry);
    serve(entries_.begin());
    return entry;
  }

  /// Removes the last entry. Its source has not had its turn.
  Entry pop_back() {
    const auto last = std::prev(entries_.end());
    Entry entry = std::move(last->second.entry);
    entries_.erase(last);
    return entry;
  }

  /// Removes an entry if it is in the queue. `is_served`: whether its source has had its turn.
  void remove(const Entry& entry, bool is_served) {
    const auto found = std::ranges::find_if(
        entries_, [&entry](const auto& each) { return each.second.entry == entry; });
    if (found == entries_.end()) return;
    if (is_served) return serve(found);
    entries_.erase(found);
  }

  /// Calls `visit` with the source and the entry of each in order, until it returns false.
  template <class Visit>
  void visit(Visit visit) const {
    for (const auto& [round, pushed] : entries_) {
      if (!visit(pushed.source, pushed.entry)) return;
    }
  }

 private:
  struct Pushed {
    Source source;
    Entry entry;
  };
  using Entries = std::multimap<std::uint64_t, Pushed>;  // by round: one of a source in each

  /// Above this number of sources, the queue forgets which were served: then all are equal again.
  static constexpr std::size_t kMaxServed = 256;

  /// Throws nothing. Without memory, the queue forgets that the source has had its turn.
  void serve(typename Entries::iterator served) {
    const auto round = served->first;
    if (next_rounds_.size() >= kMaxServed) next_rounds_.clear();
    try {
      next_rounds_[served->second.source] = round + 1;
    } catch (const std::bad_alloc&) {
    }
    if (served == entries_.begin()) {
      round_ = round;
      std::erase_if(next_rounds_, [round](const auto& source) { return source.second <= round; });
    }
    entries_.erase(served);
  }

  Entries entries_;
  std::map<Source, std::uint64_t> next_rounds_;  // of sources that were served, if after round_
  std::uint64_t round_ = 0;  // of the last entry that was served as the first one
};

}  // namespace winadmit::server
