// Which connections lose their memory when a reservation does not fit.
#include <algorithm>
#include <vector>

#include "server/transport/connection_tracker.hpp"

namespace winadmit::server {
namespace {

/// How long a source has to yield after it has lost the memory of a large request. Its next
/// requests are as likely to stay unfinished.
constexpr std::chrono::minutes kYieldTime{1};
constexpr std::size_t kMaxYieldingSources = 64;

}  // namespace

/// Reclaims memory for one reservation, which is counted already. Never of the same source: the
/// oldest request is the nearest to its end. If it had to go for the newest, none of many large
/// requests would ever be complete.
class ConnectionTracker::Reclaim {
 public:
  Reclaim(ConnectionTracker& tracker, const TrackedConnection& asking)
      : tracker_(tracker), asking_(asking), own_(asking.source_->second), now_(Clock::now()) {}

  /// Returns whether the reservation fits. Takes from the source that holds most, until it has a
  /// fair share, then from the next one, and at last from the oldest of all. The time is linear in
  /// the connections that hold memory.
  bool run() {
    if (tracker_.source_with_too_much_memory() == &own_) return false;
    while (const Source* const source = find_largest_source()) take_from(*source);
    while (is_needed() && take_from_oldest()) {
    }
    return !is_needed();
  }

 private:
  bool is_needed() const { return tracker_.has_too_many_bytes(asking_); }

  /// Sources with at most so much are treated alike.
  std::size_t fair_share() const { return std::max(kLargeBytes, tracker_.limits_.bytes / 16); }

  /// The other source with most of those that have more than a fair share and were not taken from.
  /// Null if there is none.
  const Source* find_largest_source() {
    if (!is_needed()) return nullptr;
    const auto bytes_of = [&](const Sources::value_type& entry) {
      const Source& source = entry.second;
      const bool is_left_out = &source == &own_ || source.bytes <= fair_share() ||
                               std::ranges::find(done_, &source) != done_.end();
      return is_left_out ? 0 : source.bytes;
    };
    const auto largest = std::ranges::max_element(tracker_.sources_, {}, bytes_of);
    return bytes_of(*largest) > 0 ? done_.emplace_back(&largest->second) : nullptr;
  }

  void take_from(const Source& source) {
    const List& holders = source.memory_holders;
    for (auto next = holders.begin(); is_needed() && source.bytes > fair_share();) {
      TrackedConnection& holder = **next++;
      const bool is_last = next == holders.end();
      if (may_take(holder)) take(holder);
      if (is_last) return;  // the source is gone with its last connection
    }
  }

  /// Returns whether there was something to take.
  bool take_from_oldest() {
    bool has_taken = false;
    List& holders = tracker_.memory_holders_;
    for (auto next = holders.begin(); next != holders.end() && is_needed();) {
      TrackedConnection& holder = **next++;
      if (!may_take(holder)) continue;
      take(holder);
      has_taken = true;
    }
    return has_taken;
  }

  bool may_take(const TrackedConnection& holder) const {
    const Source& source = holder.source_->second;
    if (!holder.is_evictable_ || &source == &own_) return false;
    if (tracker_.has_too_many_large_bytes(asking_) && !holder.is_large()) return false;
    return tracker_.has_too_much_memory(source) ||
           tracker_.yields(holder, asking_.is_large(), now_);
  }

  /// May destroy the connection.
  void take(TrackedConnection& holder) {
    tracker_.evictions_.for_memory.add();
    if (holder.is_large()) tracker_.let_yield(holder.source());
    holder.reclaim_memory();
  }

  ConnectionTracker& tracker_;
  const TrackedConnection& asking_;
  const Source& own_;
  Clock::time_point now_;
  std::vector<const Source*> done_;  // sources that were taken from: at most 16. Not dereferenced
};

bool ConnectionTracker::make_room_for_bytes(const TrackedConnection& connection) {
  if (connection.bytes_ > (connection.is_large() ? limits_.large_bytes : limits_.bytes))
    return false;
  return !has_too_many_bytes(connection) || Reclaim(*this, connection).run();
}

/// Whether large connections have more than their part, and `asking` is one of them.
bool ConnectionTracker::has_too_many_large_bytes(const TrackedConnection& asking) const {
  return asking.is_large() && large_bytes_ > limits_.large_bytes;
}

/// Whether the reservation of `asking`, which is counted already, does not fit.
bool ConnectionTracker::has_too_many_bytes(const TrackedConnection& asking) const {
  return bytes_ > limits_.bytes || has_too_many_large_bytes(asking);
}

/// Whether several requests of the source hold more than half of the memory. A single request may
/// hold all of it: the largest one has to fit, whatever other sources hold.
bool ConnectionTracker::has_too_much_memory(const Source& source) const {
  return source.memory_holders.size() >= 2 && source.bytes > limits_.bytes / 2;
}

/// The one with most of these. Null if there is none.
const ConnectionTracker::Source* ConnectionTracker::source_with_too_much_memory() const {
  const Source* most = nullptr;
  for (const auto& [address, source] : sources_) {
    if (!has_too_much_memory(source)) continue;
    if (most == nullptr || source.bytes > most->bytes) most = &source;
  }
  return most;
}

/// Whether the connection has a small request, a large one that has had the time to arrive, or is
/// of a source that has to yield. A large request that has just begun is left to its end, or newer
/// ones would reclaim it in turn. To a large one, small ones yield only if their source has many,
/// or if all of them have more than the part that large ones leave to them.
bool ConnectionTracker::yields(const TrackedConnection& holder, bool to_large,
                               Clock::time_point now) const {
  if (!holder.is_large()) {
    return !to_large || holder.source_->second.bytes > kLargeBytes ||
           bytes_ - large_bytes_ > limits_.bytes - limits_.large_bytes;
  }
  return now - holder.holds_memory_since_ >= limits_.upload_time ||
         std::ranges::any_of(yielding_sources_, [&](const YieldingSource& each) {
           return each.address == holder.source() && now < each.until;
         });
}

void ConnectionTracker::let_yield(const boost::asio::ip::address& source) {
  if (yielding_sources_.size() == kMaxYieldingSources) yielding_sources_.pop_front();
  yielding_sources_.push_back({source, Clock::now() + kYieldTime});
}

}  // namespace winadmit::server
