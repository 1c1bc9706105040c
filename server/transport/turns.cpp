#include "server/transport/turns.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <new>
#include <utility>

namespace winadmit::server {
namespace {

using Row = ConnectionTable::Row;
using Lines = ConnectionTable::Lines;

/// Then the loop looks for new requests, which takes a twentieth of the time of a small one.
constexpr int kRequestsInTurn = 8;

/// In each turn of a party of this number, late requests come first: their clients may still wait.
constexpr unsigned kTurnsForLateOne = 8;

/// While both wait, requests get this many times the time of handshakes.
constexpr int kTimeOfRequests = 4;

/// A handshake seems to take long if the process is stopped in it.
constexpr Clock::duration kMaxTimeOfRequests = std::chrono::milliseconds(20);

/// Takes what resumes a connection out of its line.
Resumption take(Row& row) {
  row.leave_line();
  return std::move(row.resumption);
}

}  // namespace

/// Destroys the connections that wait.
Turns::~Turns() {
  while (Row* const row = next_request()) take(*row);
  while (!handshakes_.empty()) {
    ConnectionTable::Line& line = handshakes_.front().handshakes;
    if (line.empty()) {
      handshakes_.pop_front();
    } else {
      take(line.front());
    }
  }
  while (!ended_.empty()) take(ended_.front());
}

void Turns::resume_ended(Row& row) {
  if (!row.resumption) return;
  ended_.push_back(row);
  serve_later();
}

void Turns::serve_later() {
  if (is_posted_) return;
  try {
    asio::post(loop_, [this] {  // runs after all that is ready now
      is_posted_ = false;
      serve();
    });
    is_posted_ = true;
  } catch (const std::bad_alloc&) {  // it is called again
  }
}

void Turns::serve() {
  while (!ended_.empty()) take(ended_.front())();
  for (int i = 0; i < kRequestsInTurn; ++i) {
    Row* const row = next_request();
    if (row == nullptr) break;
    take (*row)();
  }
  if (start_handshake() || !requests_.empty()) serve_later();
}

/// Takes the next one of the next party out of its line. Null if there is none.
Row* Turns::next_request() {
  while (!requests_.empty()) {
    Lines& lines = requests_.front();
    requests_.pop_front();
    const auto now = Clock::now();
    while (!lines.requests.empty() && now > lines.requests.front().turn_at) {
      lines.late.splice(lines.late.end(), lines.requests, lines.requests.begin());
    }
    const bool prefers_late = ++lines.turns % kTurnsForLateOne == 0 && !lines.late.empty();
    ConnectionTable::Line& line =
        lines.requests.empty() || prefers_late ? lines.late : lines.requests;
    if (line.empty()) continue;  // they have ended
    Row& row = line.front();
    line.pop_front();
    if (!lines.requests.empty() || !lines.late.empty()) requests_.push_back(lines);
    return &row;
  }
  return nullptr;
}

/// Starts with the newest connection of a party: in a flood, the clients of old ones have given up.
/// Returns whether one has begun.
bool Turns::start_handshake() {
  if (!requests_.empty() && Clock::now() < requests_first_until_) return false;
  for (auto next = handshakes_.begin(); next != handshakes_.end();) {
    Lines& lines = *next++;
    if (lines.handshakes.empty()) {  // they have ended
      lines.ConnectionTable::HandshakeHook::unlink();
      continue;
    }
    Row& row = lines.handshakes.back();
    if (!row.begin_handshake()) {
      // None takes the place of another one sooner than a party that has none itself.
      if (!row.party_has_handshakes()) return false;
      continue;
    }
    handshakes_.splice(handshakes_.end(), handshakes_, handshakes_.begin(), next);
    const auto began = Clock::now();
    take(row)();
    const auto ended = Clock::now();
    requests_first_until_ = ended + std::min(kTimeOfRequests * (ended - began), kMaxTimeOfRequests);
    return true;
  }
  return false;
}

}  // namespace winadmit::server
