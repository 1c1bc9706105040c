// The key `exempt.findings` of the configuration file.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "config/config_reader.hpp"

namespace winadmit::server {

std::vector<FindingExemption> read_finding_exemptions(ConfigReader& reader, const ConfigNode& node,
                                                      const std::string& what);

/// The keys of an entry.
std::span<const Key<FindingExemption>> finding_exemption_keys();

}  // namespace winadmit::server
