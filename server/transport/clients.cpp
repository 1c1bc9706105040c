#include "server/transport/clients.hpp"

#include <algorithm>

namespace winadmit::server {

/// The source that has the most, if that is more than `fair`.
const Clients::Source* Clients::greediest(Amount amount, std::size_t fair) const {
  const auto most = std::ranges::max_element(
      sources_, {}, [amount](const auto& entry) { return entry.second.*amount; });
  return most != sources_.end() && most->second.*amount > fair ? &most->second : nullptr;
}

/// The oldest in the list of this source, or of all. None if it is empty or all are pinned.
Client* Clients::oldest(const List& list, const Source* source) {
  const auto found = std::ranges::find_if(list, [source](const Client* client) {
    return !client->is_pinned_ && (source == nullptr || source == &client->source_->second);
  });
  return found == list.end() ? nullptr : *found;
}

void Clients::evict_client() {
  const std::size_t fair = limits_.clients / 4;
  const bool are_most_new = regulars_.empty() || newcomers_.size() > limits_.clients / 2;
  Client* const client = are_most_new ? oldest(newcomers_, greediest(&Source::newcomers, fair))
                                      : oldest(regulars_, greediest(&Source::regulars, fair));
  if (client == nullptr) return;
  evictions_.for_connections.add();
  client->evict();
}

bool Clients::make_room_for_handshake(const Client& client, Clock::time_point for_others,
                                      Clock::time_point for_its_own) {
  if (handshakes_.size() < limits_.handshakes) return true;
  Client* const slowest =
      oldest(handshakes_, greediest(&Source::handshakes, limits_.handshakes / 4));
  if (slowest == nullptr) return false;
  const bool is_its_own = slowest->source_ == client.source_;
  if (slowest->handshake_began_ >= (is_its_own ? for_its_own : for_others)) return false;
  evictions_.for_handshakes.add();
  slowest->evict();
  return true;
}

bool Clients::take_bytes(Client& client, std::size_t count) {
  if (!client.is_here_ || !make_room_for_bytes(client, count)) return false;
  if (client.bytes_ == 0 && count > 0) {
    client.in_holders_ = holders_.insert(holders_.end(), &client);
  }
  bytes_ += count;
  client.bytes_ += count;
  client.source_->second.bytes += count;
  return true;
}

/// Of one source the newest is refused: if the oldest had to go, whose request is nearly there, of
/// many large requests none would ever be.
bool Clients::make_room_for_bytes(const Client& client, std::size_t count) {
  const std::size_t limit = client.bytes_ + count > kLarge ? limits_.large : limits_.bytes;
  if (count > limit) return false;
  Source& source = client.source_->second;
  while (bytes_ + count > limit) {
    source.bytes += count;  // so that it counts with what it asks for
    const Source* const greedy = greediest(&Source::bytes, limits_.bytes / 2);
    source.bytes -= count;
    Client* const holder = oldest(holders_, greedy);
    if (holder == nullptr || holder->source_ == client.source_) return false;
    evictions_.for_memory.add();
    holder->drop_bytes();
  }
  return true;
}

Client::Client(Clients& clients, const boost::asio::ip::address& address)
    : clients_(clients), source_(clients.sources_.try_emplace(address).first) {
  place_ = clients.newcomers_.insert(clients.newcomers_.end(), this);
  ++source_->second.newcomers;
}

Client::~Client() { leave(); }

void Client::touch() {
  if (!is_here_) return;
  Clients::List& from = is_regular_ ? clients_.regulars_ : clients_.newcomers_;
  clients_.regulars_.splice(clients_.regulars_.end(), from, place_);
  if (is_regular_) return;
  is_regular_ = true;
  --source_->second.newcomers;
  ++source_->second.regulars;
}

void Client::release(std::size_t count) {
  if (!is_here_ || count == 0) return;  // leave() has released all
  bytes_ -= count;
  clients_.bytes_ -= count;
  source_->second.bytes -= count;
  if (bytes_ == 0) clients_.holders_.erase(in_holders_);
}

void Client::begin_handshake() {
  in_handshakes_ = clients_.handshakes_.insert(clients_.handshakes_.end(), this);
  handshake_began_ = Clients::Clock::now();
  is_shaking_hands_ = true;
  ++source_->second.handshakes;
}

void Client::end_handshake() {
  if (!is_shaking_hands_) return;
  clients_.handshakes_.erase(in_handshakes_);
  is_shaking_hands_ = false;
  --source_->second.handshakes;
}

void Client::leave() {
  if (!is_here_) return;
  release(bytes_);
  end_handshake();
  (is_regular_ ? clients_.regulars_ : clients_.newcomers_).erase(place_);
  Clients::Source& source = source_->second;
  --(is_regular_ ? source.regulars : source.newcomers);
  if (source.newcomers + source.regulars == 0) clients_.sources_.erase(source_);
  is_here_ = false;
}

}  // namespace winadmit::server
