#include "server/transport/connection_tracker.hpp"

#include <algorithm>

namespace winadmit::server {
namespace {

/// How long a source has to yield after it has lost the memory of a large request. Its next
/// requests are as likely to stay unfinished.
constexpr std::chrono::minutes kYieldTime{1};
constexpr std::size_t kMaxYieldingSources = 64;

}  // namespace

/// The source with the largest count, or null if that is at most `fair_share`.
const ConnectionTracker::Source* ConnectionTracker::largest_source(Counter counter,
                                                                   std::size_t fair_share) const {
  const auto largest = std::ranges::max_element(
      sources_, {}, [counter](const auto& entry) { return entry.second.*counter; });
  const bool is_over = largest != sources_.end() && largest->second.*counter > fair_share;
  return is_over ? &largest->second : nullptr;
}

/// The oldest connection of the source, or of all if `source` is null. Null if there is none.
TrackedConnection* ConnectionTracker::oldest_evictable(const List& list, const Source* source) {
  const auto found = std::ranges::find_if(list, [source](const TrackedConnection* connection) {
    return connection->is_evictable_ &&
           (source == nullptr || source == &connection->source_->second);
  });
  return found == list.end() ? nullptr : *found;
}

void ConnectionTracker::evict_one() {
  const std::size_t fair_share = limits_.connections / 4;
  const bool evicts_new =
      used_connections_.empty() || new_connections_.size() > limits_.connections / 2;
  TrackedConnection* const oldest =
      evicts_new
          ? oldest_evictable(new_connections_, largest_source(&Source::new_connections, fair_share))
          : oldest_evictable(used_connections_,
                             largest_source(&Source::used_connections, fair_share));
  if (oldest == nullptr) return;
  evictions_.for_connections.add();
  oldest->evict();
}

bool ConnectionTracker::make_room_for_handshake(const TrackedConnection& connection,
                                                Clock::time_point others_before,
                                                Clock::time_point own_before) {
  if (handshakes_.size() < limits_.handshakes) return true;
  TrackedConnection* const oldest =
      oldest_evictable(handshakes_, largest_source(&Source::handshakes, limits_.handshakes / 4));
  if (oldest == nullptr) return false;
  const bool is_same_source = oldest->source_ == connection.source_;
  if (oldest->handshake_began_ >= (is_same_source ? own_before : others_before)) return false;
  evictions_.for_handshakes.add();
  oldest->evict();
  return true;
}

bool ConnectionTracker::reserve_bytes(TrackedConnection& connection, std::size_t count) {
  if (!connection.is_tracked_) return false;
  add_bytes(connection, count);
  if (make_room_for_bytes(connection)) return true;
  connection.release_bytes(count);
  return false;
}

void ConnectionTracker::add_bytes(TrackedConnection& connection, std::size_t count) {
  if (count == 0) return;
  Source& source = connection.source_->second;
  if (connection.bytes_ == 0) {
    connection.in_memory_holders_ = memory_holders_.insert(memory_holders_.end(), &connection);
    connection.holds_memory_since_ = Clock::now();
    ++source.memory_holders;
  }
  change_bytes(connection, connection.bytes_ + count);
}

void ConnectionTracker::change_bytes(TrackedConnection& connection, std::size_t bytes) {
  Source& source = connection.source_->second;
  bytes_ -= connection.bytes_;
  source.bytes -= connection.bytes_;
  if (connection.is_large()) large_bytes_ -= connection.bytes_;
  connection.bytes_ = bytes;
  bytes_ += bytes;
  source.bytes += bytes;
  if (connection.is_large()) large_bytes_ += bytes;
}

/// Reclaims memory until the reservation of `connection`, which is counted already, fits. Never
/// reclaims memory of the same source: the oldest request is the nearest to its end. If it had to
/// go for the newest, none of many large requests would ever be complete.
bool ConnectionTracker::make_room_for_bytes(const TrackedConnection& connection) {
  const bool is_large = connection.is_large();
  if (connection.bytes_ > (is_large ? limits_.large_bytes : limits_.bytes)) return false;
  const auto has_too_many_large = [&] { return is_large && large_bytes_ > limits_.large_bytes; };
  while (bytes_ > limits_.bytes || has_too_many_large()) {
    TrackedConnection* const holder = find_reclaimable(connection, has_too_many_large());
    if (holder == nullptr) return false;
    evictions_.for_memory.add();
    if (holder->is_large()) let_yield(holder->source());
    holder->reclaim_memory();
  }
  return true;
}

/// The source of several requests that hold more than half of the memory, and more than those of
/// others. A single request may hold all of it: the largest one has to fit, whatever other sources
/// hold.
const ConnectionTracker::Source* ConnectionTracker::source_with_too_much_memory() const {
  const Source* most = nullptr;
  for (const auto& [address, source] : sources_) {
    if (source.memory_holders < 2 || source.bytes <= limits_.bytes / 2) continue;
    if (most == nullptr || source.bytes > most->bytes) most = &source;
  }
  return most;
}

/// Of the connections of other sources, the oldest one of the source that holds most. Sources with
/// at most a fair share hold equally much. Null if none has to yield.
TrackedConnection* ConnectionTracker::find_reclaimable(const TrackedConnection& asking,
                                                       bool only_large) const {
  const Source* const own = &asking.source_->second;
  const Source* const too_much = source_with_too_much_memory();
  if (too_much == own) return nullptr;
  const std::size_t fair_share = std::max(kLargeBytes, limits_.bytes / 16);
  const Clock::time_point now = Clock::now();
  TrackedConnection* found = nullptr;
  std::size_t most = 0;
  for (TrackedConnection* const holder : memory_holders_) {
    const Source& source = holder->source_->second;
    if (!holder->is_evictable_ || &source == own || (only_large && !holder->is_large())) continue;
    if (&source != too_much && !yields(*holder, asking.is_large(), now)) continue;
    const std::size_t bytes = source.bytes > fair_share ? source.bytes : 0;
    if (found != nullptr && bytes <= most) continue;
    found = holder;
    most = bytes;
  }
  return found;
}

/// Whether the connection has a small request, a large one that has had the time to arrive, or is
/// of a source that has to yield. A large request that has just begun is left to its end, or newer
/// ones would reclaim it in turn. To a large one, small ones yield only if their source has many.
bool ConnectionTracker::yields(const TrackedConnection& holder, bool to_large,
                               Clock::time_point now) const {
  if (!holder.is_large()) return !to_large || holder.source_->second.bytes > kLargeBytes;
  return now - holder.holds_memory_since_ >= limits_.upload_time ||
         std::ranges::any_of(yielding_sources_, [&](const YieldingSource& each) {
           return each.address == holder.source() && now < each.until;
         });
}

void ConnectionTracker::let_yield(const boost::asio::ip::address& source) {
  if (yielding_sources_.size() == kMaxYieldingSources) yielding_sources_.pop_front();
  yielding_sources_.push_back({source, Clock::now() + kYieldTime});
}

TrackedConnection::TrackedConnection(ConnectionTracker& tracker,
                                     const boost::asio::ip::address& source)
    : tracker_(tracker), source_(tracker.sources_.try_emplace(source).first) {
  in_connections_ = tracker.new_connections_.insert(tracker.new_connections_.end(), this);
  ++source_->second.new_connections;
}

TrackedConnection::~TrackedConnection() { stop_tracking(); }

void TrackedConnection::mark_used() {
  if (!is_tracked_) return;
  ConnectionTracker::List& from =
      has_made_request_ ? tracker_.used_connections_ : tracker_.new_connections_;
  tracker_.used_connections_.splice(tracker_.used_connections_.end(), from, in_connections_);
  if (has_made_request_) return;
  has_made_request_ = true;
  --source_->second.new_connections;
  ++source_->second.used_connections;
}

std::uint64_t TrackedConnection::take_round(std::uint64_t earliest) {
  std::uint64_t& next = source_->second.next_round;
  next = std::max(next, earliest);
  return next++;
}

void TrackedConnection::release_bytes(std::size_t count) {
  if (!is_tracked_ || count == 0) return;  // stop_tracking() has released all
  tracker_.change_bytes(*this, bytes_ - count);
  if (bytes_ > 0) return;
  tracker_.memory_holders_.erase(in_memory_holders_);
  --source_->second.memory_holders;
}

void TrackedConnection::begin_handshake() {
  in_handshakes_ = tracker_.handshakes_.insert(tracker_.handshakes_.end(), this);
  handshake_began_ = ConnectionTracker::Clock::now();
  is_in_handshake_ = true;
  ++source_->second.handshakes;
}

void TrackedConnection::end_handshake() {
  if (!is_in_handshake_) return;
  tracker_.handshakes_.erase(in_handshakes_);
  is_in_handshake_ = false;
  --source_->second.handshakes;
}

void TrackedConnection::stop_tracking() {
  if (!is_tracked_) return;
  release_bytes(bytes_);
  end_handshake();
  (has_made_request_ ? tracker_.used_connections_ : tracker_.new_connections_)
      .erase(in_connections_);
  ConnectionTracker::Source& source = source_->second;
  --(has_made_request_ ? source.used_connections : source.new_connections);
  if (source.new_connections + source.used_connections == 0) tracker_.sources_.erase(source_);
  is_tracked_ = false;
}

}  // namespace winadmit::server
