#include "server/transport/connection_table.hpp"

#include <utility>

namespace winadmit::server {

/// The parties that give up something which is short. What the asking one itself holds, and wants,
/// does not count.
class ConnectionTable::Choice {
 public:
  Choice(const ConnectionTable& table, Resource what, std::size_t limit, const Row* asking) {
    const PartyKey* const own = asking == nullptr ? nullptr : &asking->party_->first;
    const auto held_by = [&](const Parties::value_type& party) {
      return party.second.held[what] - (&party.first == own ? asking->held()[what] : 0);
    };
    std::size_t of_trusted = 0, of_others = 0;
    for (const auto& party : table.parties_) {
      (party.first.is_trusted ? of_trusted : of_others) += held_by(party);
    }
    const bool is_trusted = own != nullptr && own->is_trusted;
    spares_trusted_ = of_trusted <= limit / 2 && (of_others > 0 || !is_trusted);
    std::size_t most = limit / 4;
    for (const auto& party : table.parties_) {
      if (!contains(party.first) || held_by(party) <= most) continue;
      most = held_by(party);
      with_most_ = &party.first;
    }
  }

  bool contains(const PartyKey& key) const {
    return !(spares_trusted_ && key.is_trusted) && (with_most_ == nullptr || with_most_ == &key);
  }

 private:
  bool spares_trusted_;
  const PartyKey* with_most_ = nullptr;
};

/// The connection that has been in the middle of something for longest, and for its grace at least:
/// `grace(is_own)` is that of a connection of the own party, or of another one.
template <class Grace>
ConnectionTable::Row* ConnectionTable::find_busy(const Choice& choice, Resource what,
                                                 const Row* asking, Grace grace) {
  const auto now = now_();
  Row* found = nullptr;
  for (auto& [key, party] : parties_) {
    if (!choice.contains(key) || party.held[what] == 0) continue;
    const bool is_own = asking != nullptr && &party == &asking->party_->second;
    for (Row& row : party.busy) {
      if (now - row.since_ < grace(is_own)) break;
      if (found != nullptr && row.since_ >= found->since_) break;
      if (row.held()[what] == 0 || row.is_pinned_ || &row == asking) continue;
      found = &row;
      break;
    }
  }
  return found;
}

ConnectionTable::Row* ConnectionTable::find_idle(const Choice& choice) {
  Row* found = nullptr;
  for (auto& [key, party] : parties_) {
    if (!choice.contains(key) || party.idle.empty()) continue;
    Row& row = party.idle.front();
    if (found == nullptr || row.since_ < found->since_) found = &row;
  }
  return found;
}

void ConnectionTable::end_one() {
  const Choice choice(*this, place, limits_.connections, nullptr);
  Row* row = find_busy(choice, place, nullptr, [](bool) { return kGrace; });
  if (row == nullptr) row = find_idle(choice);
  if (row == nullptr) {
    row = find_busy(choice, place, nullptr, [](bool) { return Clock::duration(); });
  }
  if (row == nullptr) return;
  evictions_.for_connections.add();
  row->owner_.end_for("connections");
}

bool ConnectionTable::make_room_for_handshake(const Row& asking) {
  if (held_[handshake] < limits_.handshakes) return true;
  Row* const row =
      find_busy(Choice(*this, handshake, limits_.handshakes, &asking), handshake, &asking,
                [](bool is_own) { return is_own ? kGrace : kHandshakeGrace; });
  if (row == nullptr) return false;
  evictions_.for_handshakes.add();
  row->owner_.end_for("handshakes");
  return true;
}

/// Large ones have a part of the memory, and compete for it with one another only. Small ones may
/// use all that large ones leave. Where both together hold too much, small ones exceed their part.
bool ConnectionTable::make_room_for_bytes(const Row& asking) {
  if (asking.bytes_ > (asking.is_large() ? limits_.large_bytes : limits_.bytes)) return false;
  return (!asking.is_large() || reclaim(asking, large_memory, limits_.large_bytes)) &&
         reclaim(asking, small_memory, limits_.bytes - held_[large_memory]);
}

bool ConnectionTable::reclaim(const Row& asking, Resource what, std::size_t limit) {
  while (held_[what] > limit) {
    Row* const row =
        find_busy(Choice(*this, what, limit, &asking), what, &asking, [what](bool is_own) {
          if (what == small_memory) return is_own ? Clock::duration(kGrace) : Clock::duration();
          // If two of a party end one another, none is ever complete.
          return is_own ? Clock::duration::max() : Clock::duration(kGrace);
        });
    if (row == nullptr) return false;
    evictions_.for_memory.add();
    row->owner_.end_for("memory");
  }
  return true;
}

ConnectionTable::Row::Row(ConnectionTable& table, const asio::ip::address& source, Owner& owner)
    : table_(table), party_(table.parties_.try_emplace({source, false}).first), owner_(owner) {
  add(held());
  begin();
}

ConnectionTable::Held ConnectionTable::Row::held() const {
  return {1, is_in_handshake_ ? 1U : 0U, is_large() ? 0 : bytes_, is_large() ? bytes_ : 0};
}

void ConnectionTable::Row::add(const Held& held) {
  for (std::size_t i = 0; i < held.size(); ++i) {
    party_->second.held[i] += held[i];
    table_.held_[i] += held[i];
  }
}

void ConnectionTable::Row::remove(const Held& held) {
  for (std::size_t i = 0; i < held.size(); ++i) {
    party_->second.held[i] -= held[i];
    table_.held_[i] -= held[i];
  }
}

void ConnectionTable::Row::trust() {
  if (has_left_ || party_->first.is_trusted) return;
  const auto trusted = table_.parties_.try_emplace({source(), true}).first;
  leave_party();
  party_ = trusted;
  add(held());
  set_resting(is_resting_);
}

void ConnectionTable::Row::leave() {
  if (has_left_) return;
  leave_party();
  has_left_ = true;
}

void ConnectionTable::Row::leave_party() {
  remove(held());
  HoldHook::unlink();
  leave_line();
  if (party_->second.held[place] == 0) table_.parties_.erase(party_);
}

void ConnectionTable::Row::set_resting(bool is_resting) {
  if (has_left_) return;
  if (HoldHook::is_linked()) HoldHook::unlink();
  is_resting_ = is_resting;
  since_ = table_.now_();
  (is_resting ? party_->second.idle : party_->second.busy).push_back(*this);
}

bool ConnectionTable::Row::reserve(std::size_t count) {
  if (has_left_) return false;
  set_bytes(bytes_ + count);
  if (table_.make_room_for_bytes(*this)) return true;
  set_bytes(bytes_ - count);
  return false;
}

void ConnectionTable::Row::release(std::size_t count) {
  if (!has_left_) set_bytes(bytes_ - count);
}

void ConnectionTable::Row::set_bytes(std::size_t bytes) {
  const bool was_large = is_large();
  remove(held());
  bytes_ = bytes;
  add(held());
  if (is_large() && !was_large) begin();  // its body arrives from now on
}

void ConnectionTable::Row::wait_for_large_turn() {
  turn_at = table_.now_();
  lines().large.push_back(*this);
}

bool ConnectionTable::Row::has_large_turn() const {
  const auto order = [](const Party& party) {
    return std::pair(party.last_large_turn, party.lines.large.front().turn_at);
  };
  const Party& own = party_->second;
  if (&own.lines.large.front() != this) return false;
  const std::size_t for_small = table_.limits_.bytes - table_.limits_.large_bytes;
  for (const auto& [key, party] : table_.parties_) {
    if (&party == &own || party.lines.large.empty()) continue;
    const bool waits_for_own =
        party.held[large_memory] > 0 || party.held[small_memory] > for_small / 2;
    if (!waits_for_own && order(party) < order(own)) return false;
  }
  return true;
}

void ConnectionTable::Row::end_large_turn(bool has_memory) {
  if (has_left_) return;
  leave_line();
  if (has_memory) party_->second.last_large_turn = ++table_.large_turns_;
}

bool ConnectionTable::Row::begin_handshake() {
  if (has_left_ || !table_.make_room_for_handshake(*this)) return false;
  remove(held());
  is_in_handshake_ = true;
  add(held());
  begin();
  return true;
}

void ConnectionTable::Row::end_handshake() {
  if (has_left_) return;
  remove(held());
  is_in_handshake_ = false;
  add(held());
}

}  // namespace winadmit::server
