// A file in memory, which is opened by its name.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <string_view>

#include "tests/fuzz/properties.hpp"

namespace winadmit::fuzz {

/// Always the same file, with this text.
inline const std::string& file_of(std::string_view text) {
  static const int memory = memfd_create("manifest", MFD_CLOEXEC);
  static const std::string name = "/proc/self/fd/" + std::to_string(memory);
  const auto size = static_cast<off_t>(text.size());
  require(ftruncate(memory, 0) == 0 && pwrite(memory, text.data(), text.size(), 0) == size,
          "the file is written");
  return name;
}

}  // namespace winadmit::fuzz
