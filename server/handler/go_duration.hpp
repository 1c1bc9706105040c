// Durations as Go writes them: 10s, 1m30s, 250ms.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace winadmit::server {

/// Fractions and units down to milliseconds are understood; nothing for anything else, and for what
/// is negative.
std::optional<std::chrono::milliseconds> parse_go_duration(std::string_view text);

}  // namespace winadmit::server
