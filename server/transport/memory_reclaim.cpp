// Which connections lose their memory when a reservation does not fit. Large connections have a
// part of the memory, and compete for it with one another only. Small ones may use all that large
// ones leave. Where both together hold too much, small ones exceed their part, and yield.
// A source with too much yields itself: its reservations fail, and nothing of others is taken.
#include <algorithm>
#include <vector>

#include "server/transport/connection_tracker.hpp"

namespace winadmit::server {
/// Reclaims memory of connections of one size for a reservation, which is counted already. Never of
/// the same source: the oldest request is the nearest to its end. If it had to go for the newest,
/// none of many requests would ever be complete.
class ConnectionTracker::Reclaim {
 public:
  /// `holders`: the small ones, or the large ones; `limit`: what they may hold.
  Reclaim(ConnectionTracker& tracker, const Source& own, Holders Memory::* holders,
          std::size_t limit)
      : tracker_(tracker), own_(own), holders_(holders), limit_(limit), now_(Clock::now()) {}

  /// Returns whether the reservation fits. Takes from handshakes, then from the source that holds
  /// most, until it has a fair share, then from the next one, and at last from the oldest of all.
  /// Takes nothing if all that is not enough. The time is linear in the connections that hold
  /// memory.
  bool run() {
    if (source_with_too_much() == &own_ || !is_enough()) return false;
    if (holders_ == &Memory::small) take_from_handshakes();
    while (const Source* const source = find_largest_source()) take_from(*source);
    while (is_needed() && take_from_oldest()) {
    }
    return !is_needed();
  }

 private:
  bool is_needed() const { return (tracker_.memory_.*holders_).bytes > limit_; }

  /// Whether all that may be taken is enough.
  bool is_enough() const {
    std::size_t rest = (tracker_.memory_.*holders_).bytes;
    for (const TrackedConnection* holder : (tracker_.memory_.*holders_).connections) {
      if (may_take(*holder)) rest -= holder->bytes_;
    }
    return rest <= limit_;
  }

  const Holders& held_by(const Source& source) const { return source.memory.*holders_; }

  /// Whether several requests of the source hold more than half of what they all may hold. A single
  /// request may hold all of it: the largest one has to fit, whatever other sources hold.
  bool has_too_much(const Source& source) const {
    return held_by(source).connections.size() >= 2 && held_by(source).bytes > limit_ / 2;
  }

  /// Of the sources with too much, the one that holds most. Null if there is none.
  const Source* source_with_too_much() const {
    const Source* most = nullptr;
    for (const auto& [address, source] : tracker_.sources_) {
      if (!has_too_much(source)) continue;
      if (most == nullptr || held_by(source).bytes > held_by(*most).bytes) most = &source;
    }
    return most;
  }

  /// A few bytes begin a handshake, and a flood of them must not stop requests.
  void take_from_handshakes() {
    const List& handshakes = tracker_.handshakes_;
    for (auto next = handshakes.begin(); next != handshakes.end() && is_needed();) {
      TrackedConnection& holder = **next++;
      if (holder.bytes_ > 0 && may_take(holder)) take(holder);
    }
  }

  /// Sources with at most this many bytes are treated alike.
  std::size_t fair_share() const { return std::max(kLargeBytes, tracker_.limits_.bytes / 16); }

  /// The other source with most of those that have more than a fair share and were not taken from.
  /// Null if there is none.
  const Source* find_largest_source() {
    if (!is_needed()) return nullptr;
    const auto bytes_of = [&](const Sources::value_type& entry) {
      const Source& source = entry.second;
      const std::size_t bytes = held_by(source).bytes;
      const bool is_left_out = &source == &own_ || bytes <= fair_share() ||
                               std::ranges::find(done_, &source) != done_.end();
      return is_left_out ? 0 : bytes;
    };
    const auto largest = std::ranges::max_element(tracker_.sources_, {}, bytes_of);
    return bytes_of(*largest) > 0 ? done_.emplace_back(&largest->second) : nullptr;
  }

  void take_from(const Source& source) {
    const List& connections = held_by(source).connections;
    for (auto next = connections.begin(); is_needed() && held_by(source).bytes > fair_share();) {
      TrackedConnection& holder = **next++;
      const bool is_last = next == connections.end();
      if (may_take(holder)) take(holder);
      if (is_last) return;  // the source may be gone with its last connection
    }
  }

  /// Returns whether there was something to take.
  bool take_from_oldest() {
    bool has_taken = false;
    const List& connections = (tracker_.memory_.*holders_).connections;
    for (auto next = connections.begin(); next != connections.end() && is_needed();) {
      TrackedConnection& holder = **next++;
      if (!may_take(holder)) continue;
      take(holder);
      has_taken = true;
    }
    return has_taken;
  }

  /// Small ones yield to every other source, large ones if they have had the time to arrive. Before
  /// that, newer ones wait: they would have to yield in turn.
  bool may_take(const TrackedConnection& holder) const {
    if (!holder.is_evictable_ || &holder.source_->second == &own_) return false;
    return !holder.is_large() || now_ - holder.has_size_since_ >= tracker_.limits_.upload_time;
  }

  /// May destroy the connection.
  void take(TrackedConnection& holder) {
    tracker_.evictions_.for_memory.add();
    holder.reclaim_memory();
  }

  ConnectionTracker& tracker_;
  const Source& own_;
  Holders Memory::* holders_;
  std::size_t limit_;
  Clock::time_point now_;
  std::vector<const Source*> done_;  // sources that were taken from: at most 16. Not dereferenced
};

bool ConnectionTracker::make_room_for_bytes(const TrackedConnection& connection) {
  const bool is_large = connection.is_large();
  if (connection.bytes_ > (is_large ? limits_.large_bytes : limits_.bytes)) return false;
  const auto fits = [&](Holders Memory::* holders, std::size_t limit) {
    return (memory_.*holders).bytes <= limit ||
           Reclaim(*this, connection.source_->second, holders, limit).run();
  };
  if (is_large && !fits(&Memory::large, limits_.large_bytes)) return false;
  return fits(&Memory::small, limits_.bytes - memory_.large.bytes);
}

}  // namespace winadmit::server
