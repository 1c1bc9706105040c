// Who must go when a thread runs short of connections, memory or handshakes: the oldest client of
// the source that takes more than its fair part, else the oldest of all. One thread uses an
// instance, without locks.
//
// Every address is a source, those of IPv6 too: where nodes and pods share a /64, the API server
// would otherwise be one source with whoever attacks it.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <chrono>
#include <cstddef>
#include <list>
#include <map>

#include "server/telemetry/metrics.hpp"

namespace winadmit::server {

class Client;

/// The clients of one thread.
class Clients {
 public:
  using Clock = std::chrono::steady_clock;

  struct Limits {
    std::size_t clients;
    std::size_t bytes;       // held of requests and replies
    std::size_t large;       // of these bytes, for clients that hold more than kLarge
    std::size_t handshakes;  // begun and not ended
  };
  /// Who holds more bytes is large. Large clients leave some memory to the others.
  static constexpr std::size_t kLarge = 256 * 1024;

  Clients(const Limits& limits, Evictions& evictions) : limits_(limits), evictions_(evictions) {}
  Clients(const Clients&) = delete;
  Clients& operator=(const Clients&) = delete;

  std::size_t size() const { return newcomers_.size() + regulars_.size(); }
  std::size_t bytes() const { return bytes_; }
  std::size_t handshakes() const { return handshakes_.size(); }
  bool is_full() const { return size() >= limits_.clients; }

  /// Calls `visit` with every client. `visit` may evict the client that it is given.
  template <class Visit>
  void each(Visit visit) {
    for (List* list : {&newcomers_, &regulars_}) {
      for (auto next = list->begin(); next != list->end();) visit(**next++);
    }
  }

  /// Evicts the client that was active least recently: a newcomer if they have most of the places,
  /// else one that has been served. A pinned client stays.
  void evict_client();

  /// Whether there is room for a handshake of `client`. For want of room an old one is evicted: of
  /// another source if it began before `for_others`, of the client's own if it began before
  /// `for_its_own`.
  bool make_room_for_handshake(const Client& client, Clock::time_point for_others,
                               Clock::time_point for_its_own);

 private:
  friend class Client;
  using List = std::list<Client*>;  // the oldest first

  struct Source {
    std::size_t newcomers = 0;
    std::size_t regulars = 0;
    std::size_t handshakes = 0;
    std::size_t bytes = 0;
  };
  using Sources = std::map<boost::asio::ip::address, Source>;

  using Amount = std::size_t Source::*;

  const Source* greediest(Amount amount, std::size_t fair) const;
  static Client* oldest(const List& list, const Source* source);
  bool take_bytes(Client& client, std::size_t count);
  bool make_room_for_bytes(const Client& client, std::size_t count);

  Limits limits_;
  Sources sources_;
  List newcomers_;   // that have made no request yet, in the order in which they came
  List regulars_;    // by their last activity
  List holders_;     // of bytes, by when they began to hold some
  List handshakes_;  // by when they began
  std::size_t bytes_ = 0;
  Evictions& evictions_;
};

/// One client, as the bookkeeping of its thread sees it.
class Client {
 public:
  Client(Clients& clients, const boost::asio::ip::address& address);
  virtual ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /// How many handshakes of the client's source are under way.
  std::size_t handshakes_of_source() const { return source_->second.handshakes; }

  /// Accounts for `count` more bytes. Clients of other sources drop theirs if need be. False: there
  /// are no more, or the client's own source would have to drop some.
  [[nodiscard]] bool hold(std::size_t count) { return clients_.take_bytes(*this, count); }
  void release(std::size_t count);

 protected:
  /// Ends the client, because others need what it has. The client may be destroyed in this call;
  /// if it is not, it has called leave().
  virtual void evict() = 0;

  /// Releases bytes that the client holds, all if it is called again, because others need them.
  /// The client may be destroyed in this call.
  virtual void drop_bytes() { evict(); }

  /// Whether touch() has been called.
  bool is_regular() const { return is_regular_; }

  /// Marks the client as active now, and as one that has made a request.
  void touch();

  /// What a client that is pinned holds is in use: the client is not evicted.
  void pin() { is_pinned_ = true; }
  void unpin() { is_pinned_ = false; }

  void begin_handshake();
  void end_handshake();

  /// Gives up all that is accounted for. Nothing may be taken afterwards.
  void leave();

 private:
  friend class Clients;

  Clients& clients_;
  Clients::Sources::iterator source_;
  Clients::List::iterator place_;  // among newcomers or regulars
  Clients::List::iterator in_holders_;
  Clients::List::iterator in_handshakes_;
  Clients::Clock::time_point handshake_began_;
  std::size_t bytes_ = 0;
  bool is_here_ = true;
  bool is_regular_ = false;
  bool is_pinned_ = false;
  bool is_shaking_hands_ = false;
};

}  // namespace winadmit::server
