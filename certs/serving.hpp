// Whether a pair can be served to an API server, and whether it should be. Go's crypto/tls and
// crypto/x509, which API servers use, decide: what they refuse is an error here.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "certs/pair.hpp"

namespace winadmit::certs {

/// Throws Error unless an API server would take the pair from a webhook at `now`, its trust in the
/// issuer aside: dates, names, use, strength of keys and signatures, along the chain.
void check_serving(const Pair& pair, std::chrono::sys_seconds now);

/// What is unwise about a pair that can be served, and about the mode of the file of its key: a
/// sentence each.
std::vector<std::string> warnings_about(const Pair& pair, const std::filesystem::path& key_file);

/// Reads, parses and checks a serving pair. Throws Error.
Pair load_serving(const std::filesystem::path& certificate, const std::filesystem::path& key,
                  std::chrono::sys_seconds now = current_time());

}  // namespace winadmit::certs
