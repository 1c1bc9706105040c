#include "server/transport/connection_tracker.hpp"

#include <algorithm>
#include <new>

namespace winadmit::server {

/// The source with the largest count, or null if that is at most `fair_share`.
const ConnectionTracker::Source* ConnectionTracker::largest_source(Count count,
                                                                   std::size_t fair_share) const {
  const auto largest = std::ranges::max_element(
      sources_, {}, [count](const auto& entry) { return entry.second.*count; });
  const bool is_over = largest != sources_.end() && largest->second.*count > fair_share;
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
  const List& list = evicts_new ? new_connections_ : used_connections_;
  const List& other = evicts_new ? used_connections_ : new_connections_;
  const Count count = evicts_new ? &Source::new_connections : &Source::used_connections;
  TrackedConnection* oldest = oldest_evictable(list, largest_source(count, fair_share));
  // None if no connection may be evicted.
  if (oldest == nullptr) oldest = oldest_evictable(list, nullptr);
  if (oldest == nullptr) oldest = oldest_evictable(other, nullptr);
  if (oldest == nullptr) return;
  evictions_.for_connections.add();
  oldest->evict("connections");
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
  oldest->evict("handshakes");
  return true;
}

bool ConnectionTracker::reserve_bytes(TrackedConnection& connection, std::size_t count) {
  if (!connection.is_tracked_) return false;
  add_bytes(connection, count);
  try {
    if (make_room_for_bytes(connection)) return true;
  } catch (const std::bad_alloc&) {  // then there is no room
  }
  connection.release_bytes(count);
  return false;
}

void ConnectionTracker::add_bytes(TrackedConnection& connection, std::size_t count) {
  if (count == 0) return;
  Source& source = connection.source_->second;
  if (connection.bytes_ == 0) {
    List of_all{&connection}, of_source{&connection};  // the rest does not throw
    connection.in_holders_ = of_all.begin();
    connection.in_holders_of_source_ = of_source.begin();
    memory_.small.connections.splice(memory_.small.connections.end(), of_all);
    source.memory.small.connections.splice(source.memory.small.connections.end(), of_source);
  }
  change_bytes(connection, connection.bytes_ + count);
}

void ConnectionTracker::change_bytes(TrackedConnection& connection, std::size_t bytes) {
  Source& source = connection.source_->second;
  Holders& from = memory_.of(connection);
  Holders& from_of_source = source.memory.of(connection);
  from.bytes -= connection.bytes_;
  from_of_source.bytes -= connection.bytes_;
  connection.bytes_ = bytes;
  Holders& to = memory_.of(connection);
  Holders& to_of_source = source.memory.of(connection);
  to.bytes += bytes;
  to_of_source.bytes += bytes;
  if (&from == &to) return;
  connection.has_size_since_ = Clock::now();
  to.connections.splice(to.connections.end(), from.connections, connection.in_holders_);
  to_of_source.connections.splice(to_of_source.connections.end(), from_of_source.connections,
                                  connection.in_holders_of_source_);
}

ConnectionTracker::Holders& ConnectionTracker::Memory::of(const TrackedConnection& connection) {
  return connection.is_large() ? large : small;
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

bool TrackedConnection::waits_for_own_source() const {
  const ConnectionTracker::Memory& memory = source_->second.memory;
  const std::size_t for_small = tracker_.limits_.bytes - tracker_.limits_.large_bytes;
  return memory.large.bytes > 0 || memory.small.bytes > for_small / 2;
}

void TrackedConnection::release_bytes(std::size_t count) {
  if (!is_tracked_ || count == 0) return;  // stop_tracking() has released all
  tracker_.change_bytes(*this, bytes_ - count);
  if (bytes_ > 0) return;
  tracker_.memory_.small.connections.erase(in_holders_);
  source_->second.memory.small.connections.erase(in_holders_of_source_);
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
