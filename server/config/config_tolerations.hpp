// The tolerations of the configuration file.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "policy/pod/toleration.hpp"
#include "server/config/config_reader.hpp"

namespace winadmit::server {

std::vector<Toleration> read_tolerations(ConfigReader& reader, const YAML::Node& node,
                                         const std::string& what);

/// By the value of the label node.kubernetes.io/windows-build.
using TolerationsByBuild = std::map<std::string, std::vector<Toleration>, std::less<>>;

TolerationsByBuild read_tolerations_by_build(ConfigReader& reader, const YAML::Node& node,
                                             const std::string& what);

/// The keys of one toleration.
std::span<const Key<Toleration>> toleration_keys();

}  // namespace winadmit::server
