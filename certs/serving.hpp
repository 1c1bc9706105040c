// Checks a pair before it is served. API servers use Go's crypto/tls and crypto/x509: what these
// refuse is an error. What is only unwise is a warning.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "certs/pair.hpp"

namespace winadmit::certs {

/// Throws Error if an API server would refuse the pair at `now`: dates, names, usages, strength of
/// keys and signatures, for the whole chain. Whether it trusts the root CA is not checked.
void check_serving(const Pair& pair, std::chrono::sys_seconds now);

/// What is unwise about a pair that can be served, and about the mode of its key file.
std::vector<std::string> warnings_about(const Pair& pair, const std::filesystem::path& key_file);

}  // namespace winadmit::certs
