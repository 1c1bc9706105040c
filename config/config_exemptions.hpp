// The key `exempt` of the configuration file.
#pragma once

#include <span>
#include <string>

#include "config/config_reader.hpp"

namespace winadmit::server {

Exemptions read_exemptions(ConfigReader& reader, const ConfigNode& node, const std::string& what);

/// The keys of `exempt`.
std::span<const Key<Exemptions>> exemption_keys();

}  // namespace winadmit::server
