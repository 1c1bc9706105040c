// The labels of Windows nodes in the configuration file.
#pragma once

#include <string>

#include "policy/pod/windows_labels.hpp"
#include "server/config/config_reader.hpp"

namespace winadmit::server {

/// Reads {key: [value, {value: build}]}. Labels that are always signals are refused.
WindowsLabels read_windows_labels(ConfigReader& reader, const ConfigNode& node,
                                  const std::string& what);

}  // namespace winadmit::server
