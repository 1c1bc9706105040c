// Who is served next: connections with bytes of a request, or of a handshake, wait for their turn.
// However many connections of a party are ready, and however many requests they have sent ahead, a
// request of another one waits for one of each party only. The same holds for handshakes.
//
// The requests of a party are served in the order of arrival, but late ones yield to others, except
// in every eighth turn. Otherwise, beyond capacity, each request would wait until its client gives
// up: all answers would be late, and each client would connect again. For the same reason
// handshakes begin with the newest, and take a fifth of the time while requests wait.
#pragma once

#include <utility>

#include "server/transport/asio.hpp"
#include "server/transport/connection_table.hpp"

namespace winadmit::server {

/// One thread uses an instance. It owns the coroutines that wait.
class Turns {
 public:
  using Row = ConnectionTable::Row;

  explicit Turns(asio::io_context& loop) : loop_(loop) {}
  ~Turns();
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;

  /// Waits for the turn of a request, which is late after `late_at`. The connection may have ended
  /// meanwhile, here and below.
  auto wait_for_request(Row& row, Clock::time_point late_at) {
    row.turn_at = late_at;
    return Wait([this, &row](Resumption resumption) {
      add(row, std::move(resumption), row.lines().requests, requests_);
    });
  }

  /// Waits until a handshake may begin, and counts it.
  auto wait_for_handshake(Row& row) {
    return Wait([this, &row](Resumption resumption) {
      add(row, std::move(resumption), row.lines().handshakes, handshakes_);
    });
  }

  /// Resumes a connection soon if it waits, because it has left the table.
  void resume_ended(Row& row);

  /// Serves in the next turn of the loop. To be called when a handshake has ended, and from time to
  /// time: a slow handshake may give up its place, and there may have been no memory to call this.
  void serve_later();

  /// Whether no request waits.
  bool empty() const { return requests_.empty(); }

 private:
  using Lines = ConnectionTable::Lines;

  /// Adds a connection to a line of its party, and the party to those that wait.
  template <class Hook>
  void add(Row& row, Resumption resumption, ConnectionTable::Line& line,
           List<Lines, Hook>& parties) {
    row.resumption = std::move(resumption);
    line.push_back(row);
    if (Lines& lines = row.lines(); !lines.Hook::is_linked()) parties.push_back(lines);
    serve_later();
  }

  void serve();
  Row* next_request();
  bool start_handshake();

  asio::io_context& loop_;
  List<Lines, ConnectionTable::RequestHook> requests_;  // parties of which requests may wait
  List<Lines, ConnectionTable::HandshakeHook> handshakes_;
  ConnectionTable::Line ended_;
  Clock::time_point requests_first_until_;
  bool is_posted_ = false;
};

}  // namespace winadmit::server
