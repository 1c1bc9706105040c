// The operating systems that a pod can want.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace winadmit {

enum class Os : std::uint8_t {
  none,  // no definite signal: not ours
  linux,
  windows,
  conflict,  // scheduling signals disagree
};
inline constexpr std::size_t kOsCount = 4;

constexpr std::string_view to_string(Os os) {
  switch (os) {
    case Os::none:
      return "none";
    case Os::linux:
      return "linux";
    case Os::windows:
      return "windows";
    case Os::conflict:
      return "conflict";
  }
  return "none";
}

}  // namespace winadmit
