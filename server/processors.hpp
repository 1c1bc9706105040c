// The number of threads that are useful.
#pragma once

#include <filesystem>

namespace winadmit::server {

/// The CPU limit of the cgroup, rounded up: at least 1, at most the processors of the machine.
/// Without a limit, the processors of the machine. Reads cgroup v2 and v1.
unsigned allowed_processors(const std::filesystem::path& cgroup = "/sys/fs/cgroup");

}  // namespace winadmit::server
