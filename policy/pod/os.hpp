// The operating system that a pod asks for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace winadmit {

enum class Os : std::uint8_t {
  none,  // no signal
  linux,
  windows,
  conflict,  // scheduling signals for both
};

/// As logs and audit annotations name them.
inline constexpr std::array<std::string_view, 4> kOsNames = {"none", "linux", "windows",
                                                             "conflict"};
static_assert(kOsNames[static_cast<std::size_t>(Os::conflict)] == "conflict");

constexpr std::string_view to_string(Os os) { return kOsNames[static_cast<std::size_t>(os)]; }

}  // namespace winadmit
