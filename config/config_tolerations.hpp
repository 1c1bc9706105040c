// The tolerations of the configuration file.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "config/config_reader.hpp"
#include "policy/pod/toleration.hpp"

namespace winadmit::server {

std::vector<Toleration> read_tolerations(ConfigReader& reader, const ConfigNode& node,
                                         const std::string& what);

/// Notes an error if `build` cannot be a value of the label node.kubernetes.io/windows-build.
void check_build(ConfigReader& reader, const ConfigNode& node, const std::string& build);

TolerationsByBuild read_tolerations_by_build(ConfigReader& reader, const ConfigNode& node,
                                             const std::string& what);

/// The keys of one toleration.
std::span<const Key<Toleration>> toleration_keys();

}  // namespace winadmit::server
