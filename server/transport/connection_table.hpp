// What the connections of one thread hold, and whom it ends when something is short. One thread
// uses an instance, without locks.
//
// The connections of a source address are two parties, which hold and wait apart: those that are
// trusted, because they have had a review answered or have shown a client certificate, and the
// others. A source is one address, of IPv6 as well: a source of a whole /64 would hold the API
// server together with its attacker where nodes and pods share one.
//
// When something is short, it is taken from the party that holds most of it, or from any if none
// holds more than a quarter: the connection ends that has been in the middle of something for
// longest, such as a handshake, a request or its reply. As long as the trusted hold at most half,
// it is one of the others.
#pragma once

#include <array>
#include <boost/asio/ip/address.hpp>
#include <boost/intrusive/list.hpp>
#include <chrono>
#include <cstddef>
#include <map>
#include <string_view>
#include <tuple>

#include "server/telemetry/connection_counters.hpp"
#include "server/transport/asio.hpp"
#include "server/transport/limits.hpp"
#include "server/transport/waiting.hpp"

namespace winadmit::server {

/// Lists without allocations. What is destroyed leaves them.
template <class Tag>
using ListHook =
    boost::intrusive::list_base_hook<boost::intrusive::tag<Tag>,
                                     boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;
template <class Element, class Hook>
using List = boost::intrusive::list<Element, boost::intrusive::base_hook<Hook>,
                                    boost::intrusive::constant_time_size<false>>;

class ConnectionTable {
 public:
  class Row;

  /// Where the connections of one party wait (turns.hpp).
  using TurnHook = ListHook<struct TurnTag>;
  using Line = List<Row, TurnHook>;
  using RequestHook = ListHook<struct RequestTag>;
  using HandshakeHook = ListHook<struct HandshakeTag>;
  struct Lines : RequestHook, HandshakeHook {
    Line requests;    // by arrival
    Line late;        // the same: their clients may have given up
    Line handshakes;  // by arrival
    Line large;       // requests that wait for memory, by arrival
    unsigned turns = 0;
  };

  struct Limits {
    std::size_t connections;
    std::size_t bytes;        // of requests and replies
    std::size_t large_bytes;  // of large connections: they leave the rest to small ones
    std::size_t handshakes;   // in progress
  };

  /// A connection keeps what it has for this time if its own party lacks it. A large one keeps its
  /// memory for this time if others lack it: enough for 7 MB at 120 Mbit/s.
  static constexpr std::chrono::milliseconds kGrace{500};
  /// A handshake takes one round trip. Others take the place of one that takes longer.
  static constexpr std::chrono::milliseconds kHandshakeGrace{100};

  /// Tests have a clock of their own.
  using Now = Clock::time_point (*)();
  ConnectionTable(const Limits& limits, Evictions& evictions, Now now = Clock::now)
      : limits_(limits), evictions_(evictions), now_(now) {}
  ConnectionTable(const ConnectionTable&) = delete;
  ConnectionTable& operator=(const ConnectionTable&) = delete;

  std::size_t size() const { return held_[place]; }
  std::size_t handshakes() const { return held_[handshake]; }
  std::size_t bytes() const { return held_[small_memory] + held_[large_memory]; }
  bool is_full() const { return size() >= limits_.connections; }

  /// Ends one connection, for its place and its descriptor. One between two requests goes last: its
  /// client may just send one, and Go does not repeat a POST that finds a closed connection.
  void end_one();

 private:
  /// What may be short.
  enum Resource { place, handshake, small_memory, large_memory };
  using Held = std::array<std::size_t, 4>;  // by Resource

  struct PartyKey {
    boost::asio::ip::address source;
    bool is_trusted = false;
    bool operator<(const PartyKey& other) const {
      return std::tie(source, is_trusted) < std::tie(other.source, other.is_trusted);
    }
  };
  using HoldHook = ListHook<struct HoldTag>;
  using Rows = List<Row, HoldHook>;
  struct Party {
    Held held{};
    Rows busy;  // in the middle of something, the longest first
    Rows idle;  // between two requests, the longest first
    Lines lines;
    std::size_t last_large_turn = 0;
  };
  using Parties = std::map<PartyKey, Party>;
  class Choice;

  template <class Grace>
  Row* find_busy(const Choice& choice, Resource what, const Row* asking, Grace grace);
  Row* find_idle(const Choice& choice);
  bool make_room_for_handshake(const Row& asking);
  bool make_room_for_bytes(const Row& asking);
  bool reclaim(const Row& asking, Resource what, std::size_t limit);

  Limits limits_;
  Evictions& evictions_;
  Now now_;
  Held held_{};
  Parties parties_;
  std::size_t large_turns_ = 0;
};

/// What one connection holds. It must not outlive the table.
class ConnectionTable::Row : public HoldHook, public TurnHook {
 public:
  /// The connection.
  class Owner {
   public:
    /// Ends the connection, because others need what it holds: "connections", "handshakes" or
    /// "memory". Calls leave(), or, for memory, releases the bytes the first time.
    virtual void end_for(std::string_view limit) = 0;

   protected:
    ~Owner() = default;
  };

  Row(ConnectionTable& table, const boost::asio::ip::address& source, Owner& owner);
  ~Row() { leave(); }
  Row(const Row&) = delete;
  Row& operator=(const Row&) = delete;

  /// The address of the client. Not after leave().
  const boost::asio::ip::address& source() const { return party_->first.source; }
  Lines& lines() { return party_->second.lines; }

  /// Its client has had a review answered, or has shown a certificate.
  void trust();

  /// It begins something now: a handshake, or to wait for its first request.
  void begin() { set_resting(false); }

  /// It is between two requests now.
  void rest() { set_resting(true); }

  /// It begins a request, unless it is in the middle of something.
  void end_rest() {
    if (is_resting_) begin();
  }

  /// While another thread reads its memory, it does not end.
  void pin(bool is_pinned) { is_pinned_ = is_pinned; }

  /// Reserves `count` more bytes, and reclaims memory of others at the limit. Returns false if that
  /// is not enough.
  [[nodiscard]] bool reserve(std::size_t count);
  void release(std::size_t count);
  bool holds_bytes() const { return bytes_ > 0; }
  bool is_large() const { return bytes_ > kLargeBytes; }

  /// Waits for memory of a large request. The parties have their turn alternately. One that waits
  /// for memory of its own is passed by others, and no other one: smaller ones would keep it
  /// waiting for ever.
  void wait_for_large_turn();
  bool has_large_turn() const;
  void end_large_turn(bool has_memory);

  /// False if there are too many handshakes: it may succeed later.
  [[nodiscard]] bool begin_handshake();
  void end_handshake();
  bool party_has_handshakes() const { return party_->second.held[handshake] > 0; }

  /// Waits for no turn any more.
  void leave_line() {
    if (TurnHook::is_linked()) TurnHook::unlink();
  }

  /// Releases everything, and leaves its line. Nothing can be reserved afterwards.
  void leave();

  /// While the connection waits for its turn: what resumes it, and when a request is late, or a
  /// large one began to wait.
  Resumption resumption;
  Clock::time_point turn_at;

 private:
  friend class ConnectionTable;

  Held held() const;
  void add(const Held& held);
  void remove(const Held& held);
  void leave_party();
  void set_resting(bool is_resting);
  void set_bytes(std::size_t bytes);

  ConnectionTable& table_;
  Parties::iterator party_;
  Owner& owner_;
  Clock::time_point since_;  // it is busy, or rests
  std::size_t bytes_ = 0;
  bool is_resting_ = false;
  bool has_left_ = false;
  bool is_pinned_ = false;
  bool is_in_handshake_ = false;
};

}  // namespace winadmit::server
