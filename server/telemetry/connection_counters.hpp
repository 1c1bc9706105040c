// What one thread counts about connections that reach a limit.
#pragma once

#include "server/telemetry/counter.hpp"

namespace winadmit::server {

/// Connections that were closed to make room, by what was needed.
struct Evictions {
  Counter for_connections;
  Counter for_memory;
  Counter for_handshakes;
};

/// Connections that were not served because a limit was reached.
struct Refusals {
  Counter at_accept;  // the system had no descriptor or no memory for it
  Counter in_handshake_queue;
  Counter for_memory;  // of its handshake, or of the rest of a reply
};

}  // namespace winadmit::server
