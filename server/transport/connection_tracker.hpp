// Tracks what the connections of one thread use, and evicts one when connections, memory or
// handshakes run short: the oldest of the source address that uses most, if that is more than a
// fair share, and else the oldest of all. One thread uses an instance, without locks.
//
// A source is one address, of IPv6 as well. A source of a whole /64 would hold the API server
// together with its attacker where nodes and pods share one.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <chrono>
#include <cstddef>
#include <list>
#include <map>
#include <string_view>

#include "server/telemetry/connection_counters.hpp"
#include "server/transport/limits.hpp"

namespace winadmit::server {

class TrackedConnection;

class ConnectionTracker {
 public:
  using Clock = std::chrono::steady_clock;

  struct Limits {
    std::size_t connections;
    std::size_t bytes;              // of requests and replies
    std::size_t large_bytes;        // of large connections: they leave the rest to small ones
    std::size_t handshakes;         // in progress
    Clock::duration upload_time{};  // a large request may hold memory so long
  };

  ConnectionTracker(const Limits& limits, Evictions& evictions)
      : limits_(limits), evictions_(evictions) {}
  ConnectionTracker(const ConnectionTracker&) = delete;
  ConnectionTracker& operator=(const ConnectionTracker&) = delete;

  std::size_t size() const { return new_connections_.size() + used_connections_.size(); }
  std::size_t bytes() const { return memory_.bytes(); }
  std::size_t handshakes() const { return handshakes_.size(); }
  const Limits& limits() const { return limits_; }
  bool is_full() const { return size() >= limits_.connections; }

  /// Calls `visit` with every connection. `visit` may destroy that connection.
  template <class Visit>
  void for_each(Visit visit) {
    for (List* list : {&new_connections_, &used_connections_}) {
      for (auto next = list->begin(); next != list->end();) visit(**next++);
    }
  }

  /// Evicts the least recently used connection, or the oldest new one if more than half of all
  /// places are taken by new connections.
  void evict_one();

  /// Returns whether `connection` may begin a handshake now. At the limit, an older handshake is
  /// evicted for it: one of another source that began before `others_before`, or one of its own
  /// source that began before `own_before`.
  bool make_room_for_handshake(const TrackedConnection& connection, Clock::time_point others_before,
                               Clock::time_point own_before);

 private:
  friend class TrackedConnection;
  using List = std::list<TrackedConnection*>;  // the oldest first

  /// Connections of one size, small or large, with reserved bytes.
  struct Holders {
    List connections;  // by the time at which they got this size
    std::size_t bytes = 0;
  };
  struct Memory {
    Holders small, large;

    Holders& of(const TrackedConnection& connection);
    std::size_t bytes() const { return small.bytes + large.bytes; }
  };
  struct Source {
    std::size_t new_connections = 0;
    std::size_t used_connections = 0;
    std::size_t handshakes = 0;
    Memory memory;
  };
  using Sources = std::map<boost::asio::ip::address, Source>;
  using Count = std::size_t Source::*;
  class Reclaim;

  const Source* largest_source(Count count, std::size_t fair_share) const;
  static TrackedConnection* oldest_evictable(const List& list, const Source* source);
  bool reserve_bytes(TrackedConnection& connection, std::size_t count);
  void add_bytes(TrackedConnection& connection, std::size_t count);
  void change_bytes(TrackedConnection& connection, std::size_t bytes);
  bool make_room_for_bytes(const TrackedConnection& connection);

  Limits limits_;
  Sources sources_;
  List new_connections_;   // without a request so far, by arrival
  List used_connections_;  // by last use
  List handshakes_;        // by start
  Memory memory_;
  Evictions& evictions_;
};

/// One connection, as the tracker of its thread sees it.
class TrackedConnection {
 public:
  TrackedConnection(ConnectionTracker& tracker, const boost::asio::ip::address& source);
  virtual ~TrackedConnection();
  TrackedConnection(const TrackedConnection&) = delete;
  TrackedConnection& operator=(const TrackedConnection&) = delete;

  /// The address of the client. Not after stop_tracking().
  const boost::asio::ip::address& source() const { return source_->first; }

  /// Handshakes under way from the same source.
  std::size_t handshakes_of_source() const { return source_->second.handshakes; }

  /// Reserves `count` more bytes. At the limit, memory of other sources is reclaimed. Returns false
  /// if that is not enough, or if memory of the same source would have to be reclaimed.
  [[nodiscard]] bool reserve_bytes(std::size_t count) {
    return tracker_.reserve_bytes(*this, count);
  }
  void release_bytes(std::size_t count);

 protected:
  /// Ends the connection, because others need what it uses: "connections", "handshakes" or
  /// "memory". Either destroys it or calls stop_tracking().
  virtual void evict(std::string_view limit) = 0;

  /// Releases reserved bytes for others, all of them on the second call. May destroy the
  /// connection.
  virtual void reclaim_memory() { evict("memory"); }

  bool has_made_request() const { return has_made_request_; }
  bool is_large() const { return bytes_ > kLargeBytes; }

  /// Whether the source itself holds what a large connection of it waits for: memory of large ones,
  /// or more than half of what is left to small ones.
  bool waits_for_own_source() const;

  /// Records that the connection makes a request now.
  void mark_used();

  /// A connection must not be evicted while another thread reads its memory. One that waits for
  /// more memory keeps what it has.
  void set_evictable(bool is_evictable) { is_evictable_ = is_evictable; }

  void begin_handshake();
  void end_handshake();

  /// Releases everything. Nothing can be reserved afterwards.
  void stop_tracking();

 private:
  friend class ConnectionTracker;

  ConnectionTracker& tracker_;
  ConnectionTracker::Sources::iterator source_;
  ConnectionTracker::List::iterator in_connections_;  // new or used
  ConnectionTracker::List::iterator in_holders_;
  ConnectionTracker::List::iterator in_holders_of_source_;
  ConnectionTracker::List::iterator in_handshakes_;
  ConnectionTracker::Clock::time_point handshake_began_;
  ConnectionTracker::Clock::time_point has_size_since_;  // small or large
  std::size_t bytes_ = 0;
  bool is_tracked_ = true;
  bool has_made_request_ = false;
  bool is_evictable_ = true;
  bool is_in_handshake_ = false;
};

}  // namespace winadmit::server
