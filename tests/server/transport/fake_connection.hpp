// A tracked connection without a socket.
#pragma once

#include "server/transport/connection_tracker.hpp"

namespace winadmit::test {

// Source addresses.
inline constexpr const char* kOne = "10.0.0.1";
inline constexpr const char* kTwo = "10.0.0.2";
inline constexpr const char* kThree = "2001:db8::3";

class FakeConnection final : public server::TrackedConnection {
 public:
  explicit FakeConnection(server::ConnectionTracker& tracker, const char* source = kOne)
      : TrackedConnection(tracker, boost::asio::ip::make_address(source)) {}
  using TrackedConnection::begin_handshake;
  using TrackedConnection::end_handshake;
  using TrackedConnection::mark_used;
  using TrackedConnection::set_evictable;
  using TrackedConnection::waits_for_own_source;
  bool is_evicted = false;

 private:
  void evict(std::string_view /*limit*/) override {
    is_evicted = true;
    stop_tracking();
  }
};

}  // namespace winadmit::test
