// How many threads make sense.
#pragma once

namespace winadmit::server {

/// Processors that the cgroup allows, rounded up; at least 1, at most what the machine has.
unsigned allowed_processors();

}  // namespace winadmit::server
