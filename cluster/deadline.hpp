// When calls to an API server, and waits for it, end at the latest.
#pragma once

#include <chrono>

namespace winadmit::cluster {

using Deadline = std::chrono::steady_clock::time_point;
inline constexpr Deadline kNoDeadline = Deadline::max();

}  // namespace winadmit::cluster
