// Durations in the format of Go: 10s, 1m30s, 250ms.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace winadmit::server {

/// Supports the units m, s and ms, and fractions. Returns nothing for other text and for negative
/// durations. Durations of more than 1e9 ms count as 1e9 ms.
std::optional<std::chrono::milliseconds> parse_go_duration(std::string_view text);

}  // namespace winadmit::server
